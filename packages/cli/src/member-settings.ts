import type { Command, OptionValues } from "@commander-js/extra-typings";
import { UsageError } from "./command.ts";
import { memberOf, textOf } from "./json.ts";
import type { SavedMember } from "./login-file.ts";
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

/** Command-line options for a member's login. */
export interface MemberOptions extends AddressOptions {
  /** The name of a saved login. */
  as?: string | undefined;
  tenant?: string | undefined;
  user?: string | undefined;
  password?: string | undefined;
  passwordFile?: string | undefined;
}

/** The address of the service, and a member's login. */
export interface MemberLogin {
  baseUrl: string;
  tenantId: string;
  username: string;
  password: string;
}

/** Declares {@link MemberOptions}. */
export function withMember<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return command
    .optionsGroup("Which member:")
    .addOption(nameOption("the login that `portico login --member --as NAME` has kept"))
    .option(...BASE_URL_OPTION)
    .option("--profile <FILE>", "a JSON file with baseUrl")
    .option("--tenant <ID>", "the member's tenant")
    .option("--user <NAME>", "the member's username")
    .option("--password <PASSWORD>", "the password; other users of this machine can see it in the list of processes")
    .option("--password-file <FILE>", "the password, from a file; - is standard input")
    .addHelpText("after", `\nWithout them, the demo member of ./${DEMO_FILE} is used if that file exists.`);
}

/**
 * A member's login: the saved one that is named, else from the options, else the demo file.
 *
 * @throws UsageError naming what is missing; FailureError when there is no saved login of that name.
 */
export async function memberLogin(options: MemberOptions): Promise<MemberLogin | SavedMember> {
  const { as: name, tenant, user, password, passwordFile, baseUrl } = options;
  if (name !== undefined) {
    if ([tenant, user, password, passwordFile].some((given) => given !== undefined)) {
      throw new UsageError("--as names a member: give no tenant, no user and no password besides");
    }
    return await namedLogin("member", name, baseUrl);
  }
  return completeLogin(await findLogin(options, await storedSettings(options.profile)));
}

/**
 * The login of a member who is about to sign in: from the options, else the demo file (unless another service is named).
 * At a terminal, the user is asked for what is missing.
 *
 * @throws UsageError naming what is missing.
 */
export async function newMemberLogin(options: MemberOptions): Promise<MemberLogin> {
  const settings = await storedSettings(options.profile);
  const demoUrl = textOf(memberOf(settings.demo, "cli"), "baseUrl");
  const isDemo = namedBaseUrl(options, settings) === undefined || baseUrlOf(options, settings) === demoUrl;
  const found = await findLogin(options, isDemo ? settings : { ...settings, demo: undefined });
  if (process.stdin.isTTY) {
    found.tenantId ??= await ask(`Tenant of a member at ${found.baseUrl}: `);
    found.username ??= await ask("Username: ");
    found.password ??= await askSecretly("Password: ");
  }
  return completeLogin(found);
}

async function findLogin(options: MemberOptions, settings: StoredSettings) {
  const member = memberOf(settings.demo, "member");
  return {
    baseUrl: baseUrlOf(options, settings),
    tenantId: options.tenant ?? textOf(member, "tenantId"),
    username: options.user ?? textOf(member, "username"),
    password: (await secretOption("password", options.password, options.passwordFile)) ?? textOf(member, "password"),
  };
}

function completeLogin(found: Awaited<ReturnType<typeof findLogin>>): MemberLogin {
  return complete(found, { tenantId: "--tenant", username: "--user", password: "--password-file" });
}
