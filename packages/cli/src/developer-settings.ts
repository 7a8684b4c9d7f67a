import { wholeNumber } from "./command.ts";
import { listOf, memberOf, numberOf, textOf } from "./json.ts";
import { ask, askSecretly } from "./prompt.ts";
import { readSavedLogin, type SavedLogin } from "./saved-login.ts";
import {
  ADDRESS_OPTIONS,
  baseUrlOf,
  complete,
  DEFAULT_BASE_URL,
  DEMO_FILE,
  type StoredSettings,
  secretOption,
  storedSettings,
  type Values,
} from "./stored-settings.ts";

const DEFAULT_CHANNEL = 1;

/** Options for a developer's login to the console, for `parseArgs`. */
export const DEVELOPER_OPTIONS = {
  ...ADDRESS_OPTIONS,
  phone: { type: "string" },
  password: { type: "string" },
  "password-file": { type: "string" },
  channel: { type: "string" },
} as const;

/** Which options name a developer; of them, and where else one is looked for. */
export const LOGIN_HELP = `  --base-url URL        address of the service (default ${DEFAULT_BASE_URL})
  --phone NUMBER        the developer's phone number
  --password PASSWORD   the password; other users of this machine can see it in the list of processes
  --password-file FILE  the password, from a file; - is standard input
  --channel N           the channel that the phone number belongs to (default ${DEFAULT_CHANNEL})
  --profile FILE        a JSON file with baseUrl, phone, password and channelId`;

const helpFor = (who: string) => `Which developer asks:
${LOGIN_HELP}
Options win over the profile. Where none of them names a developer, the one who has signed in with \`portico login\` asks,
else the demo ${who} of ./${DEMO_FILE} if that file exists.`;

export const DEVELOPER_HELP = helpFor("developer");
/** The same for what only operators may do. */
export const OPERATOR_HELP = helpFor("operator");

/** Where the service is, and a developer's login to its console. */
export interface DeveloperLogin {
  baseUrl: string;
  phone: string;
  password: string;
  channelId: number;
}

/** Who asks where nobody is named: of the demo world's developers, the one who owns its apps, or the one who runs it. */
type Role = "developer" | "operator";

/**
 * A developer's login: from the options, else the profile, else the one that is kept, else the demo file. The one that is
 * kept is good for the service that it was made at, and is left out where another is named.
 *
 * @throws UsageError naming what is missing; FailureError when the login that is kept cannot be read.
 */
export async function developerLogin(
  values: Values<typeof DEVELOPER_OPTIONS>,
  role: Role = "developer",
): Promise<DeveloperLogin | SavedLogin> {
  const settings = await storedSettings(values.profile);
  const { phone, password, channel, "password-file": file, "base-url": address } = values;
  const isNamed = [phone, password, channel, file, textOf(settings.profile, "phone")].some(
    (given) => given !== undefined,
  );
  const saved = isNamed ? undefined : await readSavedLogin();
  const isElsewhere = address !== undefined || textOf(settings.profile, "baseUrl") !== undefined;
  if (saved !== undefined && (!isElsewhere || baseUrlOf(values, settings) === saved.baseUrl)) return saved;
  return completeLogin(await findLogin(values, settings, role));
}

/**
 * The login of a developer who is to be signed in: from the options, else the profile, else the demo file unless another
 * service than its own is named; what is still missing is asked for, if there is someone to ask.
 *
 * @throws UsageError naming what is missing.
 */
export async function newLogin(values: Values<typeof DEVELOPER_OPTIONS>): Promise<DeveloperLogin> {
  const settings = await storedSettings(values.profile);
  const demoUrl = textOf(memberOf(settings.demo, "cli"), "baseUrl");
  const isDemo = values["base-url"] === undefined || baseUrlOf(values, settings) === demoUrl;
  const found = await findLogin(values, isDemo ? settings : { ...settings, demo: undefined }, "developer");
  if (process.stdin.isTTY) {
    found.phone ??= await ask(`Phone number of a developer at ${found.baseUrl}: `);
    found.password ??= await askSecretly("Password: ");
  }
  return completeLogin(found);
}

/** Where the service is. */
export async function serviceAddress(values: Values<typeof ADDRESS_OPTIONS>): Promise<string> {
  return baseUrlOf(values, await storedSettings(values.profile));
}

async function findLogin(values: Values<typeof DEVELOPER_OPTIONS>, settings: StoredSettings, role: Role) {
  const stored = settings.profile ?? demoDeveloper(settings.demo, values.phone, role);
  return {
    baseUrl: baseUrlOf(values, settings),
    phone: values.phone ?? textOf(stored, "phone"),
    password: (await secretOption("password", values.password, values["password-file"])) ?? textOf(stored, "password"),
    channelId: values.channel === undefined ? numberOf(stored, "channelId") : channelOf(values.channel),
  };
}

function completeLogin({ channelId = DEFAULT_CHANNEL, ...found }: Awaited<ReturnType<typeof findLogin>>) {
  const options = { phone: "--phone", password: "--password-file" };
  return { ...complete(found, options, "sign in with `portico login`, "), channelId };
}

/** The demo world's developer who has that phone number, else that role; its apps belong to one who is no operator. */
function demoDeveloper(demo: unknown, phone: string | undefined, role: Role): unknown {
  const isMeant = (each: unknown) =>
    phone === undefined
      ? (memberOf(each, "operator") === true) === (role === "operator")
      : textOf(each, "phone") === phone;
  return listOf(memberOf(demo, "provision"), "developers").find(isMeant);
}

function channelOf(text: string): number {
  return text === "0" ? 0 : wholeNumber(text, "--channel", "a whole number");
}
