import { listOf, memberOf, textOf } from "./json.ts";
import {
  ADDRESS_OPTIONS,
  baseUrlOf,
  complete,
  DEFAULT_BASE_URL,
  DEMO_FILE,
  secretOption,
  storedSettings,
  type Values,
} from "./stored-settings.ts";

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

export const CREDENTIAL_HELP = credentialHelp("bot");
/** The same for the commands of customer service. */
export const CUSTOMER_HELP = credentialHelp("service desk");

function credentialHelp(demoApp: string): string {
  return `Whose credentials are used:
  --base-url URL          address of the service (default ${DEFAULT_BASE_URL})
  --app-id ID             the app
  --credential-id ID      its credential
  --app-secret SECRET     its secret; other users of this machine can see it in the list of processes
  --app-secret-file FILE  its secret, from a file; - is standard input
  --profile FILE          a JSON file with baseUrl, appId, credentialId and appSecret
Options win over the profile. Without a profile, the demo ${demoApp} of ./${DEMO_FILE} is used if that file exists.`;
}

export const MEMBER_HELP = `Who reads:
  --base-url URL       address of the service (default ${DEFAULT_BASE_URL})
  --profile FILE       a JSON file with baseUrl
  --tenant ID          the member's tenant
  --user NAME          the member's username
  --password PASSWORD  the member's password
Without them, the demo member of ./${DEMO_FILE} is used if that file exists.`;

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

/**
 * An app's credentials: from the options, else the profile, else the demo file.
 *
 * @throws UsageError naming what is missing.
 */
export async function credentials(values: Values<typeof CREDENTIAL_OPTIONS>): Promise<Credentials> {
  return completeCredentials(await findCredentials(values));
}

/** Like {@link credentials}, with the demo world's service desk instead of its bot. */
export async function customerCredentials(values: Values<typeof CREDENTIAL_OPTIONS>): Promise<Credentials> {
  return completeCredentials(await findCredentials(values, serviceDeskOf));
}

function serviceDeskOf(demo: unknown): unknown {
  const desk = listOf(memberOf(demo, "provision"), "apps").find((app) => textOf(app, "type") === "CUSTOMER_SERVICE");
  const [credential] = listOf(desk, "credentials");
  return {
    appId: textOf(desk, "appId"),
    credentialId: textOf(credential, "credentialId"),
    appSecret: textOf(credential, "appSecret"),
  };
}

/** Like {@link credentials}, but undefined where nothing of them is given at all. */
export async function credentialsIfAny(values: Values<typeof CREDENTIAL_OPTIONS>): Promise<Credentials | undefined> {
  const found = await findCredentials(values);
  const { appId, credentialId, appSecret } = found;
  return appId === undefined && credentialId === undefined && appSecret === undefined
    ? undefined
    : completeCredentials(found);
}

/** The app whose credentials are at hand: the profile's, else the demo world's; undefined where there is none. */
export async function appIdIfAny(profile: string | undefined): Promise<string | undefined> {
  return (await findCredentials({ profile })).appId;
}

async function findCredentials(
  values: Values<typeof CREDENTIAL_OPTIONS>,
  demoAppOf = (demo: unknown) => memberOf(demo, "cli"),
) {
  const settings = await storedSettings(values.profile);
  const stored = settings.profile ?? demoAppOf(settings.demo);
  return {
    baseUrl: baseUrlOf(values, settings),
    appId: values["app-id"] ?? textOf(stored, "appId"),
    credentialId: values["credential-id"] ?? textOf(stored, "credentialId"),
    appSecret:
      (await secretOption("app-secret", values["app-secret"], values["app-secret-file"])) ??
      textOf(stored, "appSecret"),
  };
}

function completeCredentials(found: Awaited<ReturnType<typeof findCredentials>>): Credentials {
  return complete(found, { appId: "--app-id", credentialId: "--credential-id", appSecret: "--app-secret-file" });
}

/**
 * A member's login: from the options, else the demo file.
 *
 * @throws UsageError naming what is missing.
 */
export async function memberLogin(values: Values<typeof MEMBER_OPTIONS>): Promise<MemberLogin> {
  const settings = await storedSettings(values.profile);
  const member = memberOf(settings.demo, "member");
  const found = {
    baseUrl: baseUrlOf(values, settings),
    tenantId: values.tenant ?? textOf(member, "tenantId"),
    username: values.user ?? textOf(member, "username"),
    password: values.password ?? textOf(member, "password"),
  };
  return complete(found, { tenantId: "--tenant", username: "--user", password: "--password" });
}
