import { type Command, Option, type OptionValues } from "@commander-js/extra-typings";
import { UsageError, wholeNumber } from "./command.ts";
import type { DeveloperLogin } from "./developer-login.ts";
import { readText, STANDARD_INPUT } from "./input.ts";
import { listOf, memberOf, numberOf, textOf } from "./json.ts";
import { readUnnamedLogin, type SavedDeveloper } from "./login-file.ts";
import { namedLogin, nameOption } from "./named-login.ts";
import { ask, askSecretly } from "./prompt.ts";

import {
  type AddressOptions,
  BASE_URL_OPTION,
  baseUrlOf,
  complete,
  DEMO_FILE,
  namedBaseUrl,
  type StoredSettings,
  secretOption,
  storedSettings,
} from "./stored-settings.ts";

const DEFAULT_CHANNEL = 1;

/** Command-line options for a developer's login to the console. */
export interface DeveloperOptions extends AddressOptions {
  /** The name of a saved login. */
  as?: string | undefined;
  phone?: string | undefined;
  password?: string | undefined;
  passwordFile?: string | undefined;
  channel?: number | undefined;
}

/** Those of signing in. */
export interface LoginOptions extends DeveloperOptions {
  /** Of the second factor. */
  code?: string | undefined;
  codeStdin?: boolean | undefined;
}

/** Declares {@link DeveloperOptions} for signing in. */
export function withLogin<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return withPassword(command.optionsGroup("Who signs in:"), (option) => option)
    .option(...BASE_URL_OPTION)
    .addOption(nameOption("keep the login under this name, for the --as of other commands"))
    .option("--profile <FILE>", "a JSON file with baseUrl, phone, password and channelId")
    .option(
      "--code <CODE>",
      "where a second factor is on: a code of the authenticator app (asked for if left out); other users of this machine can see it in the list of processes, so give no recovery code here",
    )
    .option("--code-stdin", "that code, or a recovery code, from standard input");
}

/**
 * Declares {@link DeveloperOptions} for a command that acts as a developer. Those of a password are understood, too, but
 * not listed: who works as several developers saves a login of each.
 */
export function withDeveloper<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
  role: Role = "developer",
) {
  return withPassword(command.optionsGroup("Which developer asks:"), (option) => option.hideHelp())
    .addOption(nameOption("the login that `portico login --as NAME` has kept"))
    .option(...BASE_URL_OPTION)
    .option("--profile <FILE>", "a JSON file with baseUrl, phone, password and channelId")
    .addHelpText(
      "after",
      `
Where none of them names a developer, the one who has signed in with \`portico login\` asks, else the demo ${role} of
./${DEMO_FILE} if that file exists. The options of \`portico login\` (--phone, --password-file, …) name one for once.`,
    );
}

function withPassword<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
  shown: <Any extends Option>(option: Any) => Any,
) {
  return command
    .addOption(shown(new Option("--phone <NUMBER>", "the developer's phone number")))
    .addOption(
      shown(
        new Option(
          "--password <PASSWORD>",
          "the password; other users of this machine can see it in the list of processes",
        ),
      ),
    )
    .addOption(shown(new Option("--password-file <FILE>", "the password, from a file; - is standard input")))
    .addOption(
      shown(
        new Option(
          "--channel <N>",
          `the channel that the phone number belongs to (default ${DEFAULT_CHANNEL})`,
        ).argParser(channelOf),
      ),
    );
}

/** Which developer of the demo is used by default: the owner of its apps, or the operator. */
type Role = "developer" | "operator";

/**
 * A developer's login: the saved one that is named, else from the options, else the profile, else the saved login without
 * a name, else the demo file. A saved login is valid for its own service only; the one without a name is ignored when
 * another service is named.
 *
 * @throws UsageError naming what is missing; FailureError when the saved login cannot be read, or there is none.
 */
export async function developerLogin(
  options: DeveloperOptions,
  role: Role = "developer",
): Promise<DeveloperLogin | SavedDeveloper> {
  const settings = await storedSettings(options.profile);
  const { as: name, phone, password, channel, passwordFile } = options;
  const isNamed = [phone, password, channel, passwordFile, textOf(settings.profile, "phone")].some(
    (given) => given !== undefined,
  );
  if (name !== undefined) {
    if (isNamed) throw new UsageError("--as names a developer: give no phone number and no password besides");
    return await namedLogin("developer", name, options.baseUrl);
  }
  const saved = isNamed ? undefined : await readUnnamedLogin();
  const isElsewhere = namedBaseUrl(options, settings) !== undefined;
  if (saved !== undefined && (!isElsewhere || baseUrlOf(options, settings) === saved.baseUrl)) return saved;
  return completeLogin(await findLogin(options, settings, role));
}

/**
 * The login of a developer who is about to sign in: from the options, else the profile, else the demo file (unless
 * another service is named). At a terminal, the user is asked for what is missing.
 *
 * @throws UsageError naming what is missing.
 */
export async function newLogin(options: LoginOptions): Promise<DeveloperLogin> {
  const settings = await storedSettings(options.profile);
  const demoUrl = textOf(memberOf(settings.demo, "cli"), "baseUrl");
  const isDemo = namedBaseUrl(options, settings) === undefined || baseUrlOf(options, settings) === demoUrl;
  const found = await findLogin(options, isDemo ? settings : { ...settings, demo: undefined }, "developer");
  if (process.stdin.isTTY) {
    found.phone ??= await ask(`Phone number of a developer at ${found.baseUrl}: `);
    found.password ??= await askSecretly("Password: ");
  }
  return { ...completeLogin(found), code: await codeOption(options) };
}

/**
 * The code of the second factor; undefined when none is given.
 *
 * @throws UsageError when it is given twice, or standard input is the password.
 */
export async function codeOption({ code, codeStdin, passwordFile }: LoginOptions): Promise<string | undefined> {
  if (codeStdin !== true) return code;
  if (code !== undefined) throw new UsageError("--code and --code-stdin exclude each other");
  if (passwordFile === STANDARD_INPUT) throw new UsageError("--code-stdin and --password-file - exclude each other");
  return (await readText(STANDARD_INPUT)).trim();
}

/** The address of the service. */
export async function serviceAddress(options: AddressOptions): Promise<string> {
  return baseUrlOf(options, await storedSettings(options.profile));
}

async function findLogin(options: DeveloperOptions, settings: StoredSettings, role: Role) {
  const stored = settings.profile ?? demoDeveloper(settings.demo, options.phone, role);
  return {
    baseUrl: baseUrlOf(options, settings),
    phone: options.phone ?? textOf(stored, "phone"),
    password: (await secretOption("password", options.password, options.passwordFile)) ?? textOf(stored, "password"),
    channelId: options.channel ?? numberOf(stored, "channelId"),
  };
}

function completeLogin({ channelId = DEFAULT_CHANNEL, ...found }: Awaited<ReturnType<typeof findLogin>>) {
  const options = { phone: "--phone", password: "--password-file" };
  return { ...complete(found, options, "sign in with `portico login`, "), channelId };
}

/**
 * The demo developer with this phone number, or else with this role; the apps belong to the one who is not an operator.
 */
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
