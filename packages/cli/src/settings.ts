import { readFile } from "node:fs/promises";
import { UsageError } from "./command.ts";
import { codeOf, readInput } from "./input.ts";
import { memberOf, textOf } from "./json.ts";

/** Written by the service's first start in this directory; holds a bot and a member of the demo world. */
const DEMO_FILE = "data/demo.json";
const DEFAULT_BASE_URL = "http://localhost:8080";

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
    appSecret: (await secretOption(values)) ?? textOf(stored.cli, "appSecret"),
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

/** What the files say; a profile stands in for the demo's bot wholly, so that the two never mix into one credential. */
interface StoredSettings {
  cli: unknown;
  member: unknown;
}

async function storedSettings(profile: string | undefined): Promise<StoredSettings> {
  const demo = await readJson(DEMO_FILE, { optional: true });
  const cli = profile === undefined ? memberOf(demo, "cli") : await readJson(profile, { optional: false });
  return { cli, member: memberOf(demo, "member") };
}

function baseUrlOf(values: Values<typeof ADDRESS_OPTIONS>, stored: StoredSettings): string {
  const baseUrl = values["base-url"] ?? textOf(stored.cli, "baseUrl") ?? DEFAULT_BASE_URL;
  const url = URL.parse(baseUrl);
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (!isOrigin) throw new UsageError("the base URL must be an address such as http://localhost:8080, without a path");
  return url.origin;
}

async function secretOption(values: Values<typeof CREDENTIAL_OPTIONS>): Promise<string | undefined> {
  const { "app-secret": secret, "app-secret-file": file } = values;
  if (file === undefined) return secret;
  if (secret !== undefined) throw new UsageError("--app-secret and --app-secret-file exclude each other");
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
