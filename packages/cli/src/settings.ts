import { readFile } from "node:fs/promises";
import { UsageError, wholeNumber } from "./command.ts";
import { codeOf, readInput } from "./input.ts";
import { listOf, memberOf, numberOf, textOf } from "./json.ts";

/** Written by the service's first start in this directory; holds a bot and a member of the demo world. */
const DEMO_FILE = "data/demo.json";
const DEFAULT_BASE_URL = "http://localhost:8080";
const DEFAULT_CHANNEL = 1;

/** Options for the address of the service. */
const ADDRESS_OPTIONS = {
  "base-url": { type: "string" },
  profile: { type: "string" },
} as const;

/** Options for an app's credentials, for `parseArgs`. */
export const CREDENTIAL_OPTIONS = {
  ...ADDRESS_OPTIONS,
  "app-id": { type: "string" },
  "credential-id": { type: "string" },
  "app-secret": { type: "string" },
  "app-secret-file": { type: "string" },
} as const;

/** Options for a member's login, for `parseArgs`. */
export const MEMBER_OPTIONS = {
  ...ADDRESS_OPTIONS,
  tenant: { type: "string" },
  user: { type: "string" },
  password: { type: "string" },
} as const;

/** Options for a developer's login to the console, for `parseArgs`. */
export const DEVELOPER_OPTIONS = {
  ...ADDRESS_OPTIONS,
  phone: { type: "string" },
  password: { type: "string" },
  "password-file": { type: "string" },
  channel: { type: "string" },
} as const;

export const CREDENTIAL_HELP = `Whose credentials are used:
  --base-url URL          address of the service (default ${DEFAULT_BASE_URL})
  --app-id ID             the app
  --credential-id ID      its credential
  --app-secret SECRET     its secret; other users of this machine can see it in the list of processes
  --app-secret-file FILE  its secret, from a file
  --profile FILE          a JSON file with baseUrl, appId, credentialId and appSecret
Options win over the profile. Without a profile, the demo bot of ./${DEMO_FILE} is used if that file exists.`;

export const MEMBER_HELP = `Who reads:
  --base-url URL       address of the service (default ${DEFAULT_BASE_URL})
  --profile FILE       a JSON file with baseUrl
  --tenant ID          the member's tenant
  --user NAME          the member's username
  --password PASSWORD  the member's password
Without them, the demo member of ./${DEMO_FILE} is used if that file exists.`;

export const DEVELOPER_HELP = `Which developer asks:
  --base-url URL        address of the service (default ${DEFAULT_BASE_URL})
  --phone NUMBER        the developer's phone number
  --password PASSWORD   the password; other users of this machine can see it in the list of processes
  --password-file FILE  the password, from a file
  --channel N           the channel that the phone number belongs to (default ${DEFAULT_CHANNEL})
  --profile FILE        a JSON file with baseUrl, phone, password and channelId
Options win over the profile. Without a profile, the demo developer of ./${DEMO_FILE} is used if that file exists.`;

/** Where the service is, and an app's credentials there. */
export interface Credentials {
  baseUrl: string;
  appId: string;
  credentialId: string;
  appSecret: string;
}

/** Where the service is, and a member's login there. */
export interface MemberLogin {
  baseUrl: string;
  tenantId: string;
  username: string;
  password: string;
}

/** Where the service is, and a developer's login to its console. */
export interface DeveloperLogin {
  baseUrl: string;
  phone: string;
  password: string;
  channelId: number;
}

/** Values of options as `parseArgs` gives them. */
type Values<Options> = { [Name in keyof Options]?: string | undefined };

/**
 * An app's credentials: from the options, else the profile, else the demo file.
 *
 * @throws UsageError naming what is missing.
 */
export async function credentials(values: Values<typeof CREDENTIAL_OPTIONS>): Promise<Credentials> {
  const stored = await storedSettings(values.profile);
  const found = {
    baseUrl: baseUrlOf(values, stored),
    appId: values["app-id"] ?? textOf(stored.cli, "appId"),
    credentialId: values["credential-id"] ?? textOf(stored.cli, "credentialId"),
    appSecret:
      (await secretOption("app-secret", values["app-secret"], values["app-secret-file"])) ??
      textOf(stored.cli, "appSecret"),
  };
  return complete(found, { appId: "--app-id", credentialId: "--credential-id", appSecret: "--app-secret-file" });
}

/**
 * A member's login: from the options, else the demo file.
 *
 * @throws UsageError naming what is missing.
 */
export async function memberLogin(values: Values<typeof MEMBER_OPTIONS>): Promise<MemberLogin> {
  const stored = await storedSettings(values.profile);
  const found = {
    baseUrl: baseUrlOf(values, stored),
    tenantId: values.tenant ?? textOf(stored.member, "tenantId"),
    username: values.user ?? textOf(stored.member, "username"),
    password: values.password ?? textOf(stored.member, "password"),
  };
  return complete(found, { tenantId: "--tenant", username: "--user", password: "--password" });
}

/**
 * A developer's login: from the options, else the profile, else the demo file.
 *
 * @throws UsageError naming what is missing.
 */
export async function developerLogin(values: Values<typeof DEVELOPER_OPTIONS>): Promise<DeveloperLogin> {
  const stored = await storedSettings(values.profile);
  const found = {
    baseUrl: baseUrlOf(values, stored),
    phone: values.phone ?? textOf(stored.developer, "phone"),
    password:
      (await secretOption("password", values.password, values["password-file"])) ??
      textOf(stored.developer, "password"),
  };
  const channelId =
    values.channel === undefined
      ? (numberOf(stored.developer, "channelId") ?? DEFAULT_CHANNEL)
      : channelOf(values.channel);
  return { ...complete(found, { phone: "--phone", password: "--password-file" }), channelId };
}

function channelOf(text: string): number {
  return text === "0" ? 0 : wholeNumber(text, "--channel", "a whole number");
}

/** What the files say; a profile stands in for the demo's bot wholly, so that the two never mix into one credential. */
interface StoredSettings {
  cli: unknown;
  member: unknown;
  developer: unknown;
}

async function storedSettings(profile: string | undefined): Promise<StoredSettings> {
  const demo = await readJson(DEMO_FILE, { optional: true });
  const member = memberOf(demo, "member");
  if (profile === undefined) return { cli: memberOf(demo, "cli"), member, developer: demoDeveloper(demo) };
  const own = await readJson(profile, { optional: false });
  return { cli: own, member, developer: own };
}

/** The demo world's apps belong to a developer who is no operator. */
function demoDeveloper(demo: unknown): unknown {
  return listOf(memberOf(demo, "provision"), "developers").find((each) => memberOf(each, "operator") !== true);
}

function baseUrlOf(values: Values<typeof ADDRESS_OPTIONS>, stored: StoredSettings): string {
  const baseUrl = values["base-url"] ?? textOf(stored.cli, "baseUrl") ?? DEFAULT_BASE_URL;
  const url = URL.parse(baseUrl);
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (!isOrigin) throw new UsageError("the base URL must be an address such as http://localhost:8080, without a path");
  return url.origin;
}

/** A secret from an option, or from the file that the option of that name with `-file` gives. */
async function secretOption(
  name: string,
  secret: string | undefined,
  file: string | undefined,
): Promise<string | undefined> {
  if (file === undefined) return secret;
  if (secret !== undefined) throw new UsageError(`--${name} and --${name}-file exclude each other`);
  const content = await readInput(file);
  return content.toString("utf8").replace(/\r?\n$/, "");
}

/** The parser's own message is not shown: it quotes the file, and the file holds a secret. */
async function readJson(file: string, { optional }: { optional: boolean }): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`${file} is not valid JSON`);
    if (optional && codeOf(error) === "ENOENT") return undefined;
    throw new UsageError(`cannot read ${file}: ${codeOf(error)}`);
  }
}

/** Narrows away what is missing, or names it by the options that would give it. */
function complete<Found extends Record<string, string | undefined>>(
  found: Found,
  optionOf: Partial<Record<keyof Found, string>>,
): { [Name in keyof Found]: string } {
  const missing = Object.entries(found).filter(([, value]) => value === undefined || value === "");
  if (missing.length > 0) {
    const options = missing.map(([name]) => optionOf[name] ?? name).join(", ");
    const remedy = `give what is missing, or run \`npm start\` here once, which writes ./${DEMO_FILE}`;
    throw new UsageError(`no ${options}: ${remedy}`);
  }
  return found as { [Name in keyof Found]: string };
}
