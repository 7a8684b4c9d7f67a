import type { Command, OptionValues } from "@commander-js/extra-typings";
import type { EventType } from "@portico/protocol";
import { UsageError } from "./command.ts";
import { listOf, memberOf, textOf } from "./json.ts";
import {
  type AddressOptions,
  BASE_URL_OPTION,
  baseUrlOf,
  complete,
  DEMO_FILE,
  secretOption,
  storedSettings,
} from "./stored-settings.ts";

/** Command-line options for an app's credentials. */
export interface CredentialOptions extends AddressOptions {
  appId?: string | undefined;
  credentialId?: string | undefined;
  appSecret?: string | undefined;
  appSecretFile?: string | undefined;
}

/** Declares {@link CredentialOptions}; `demoApp` describes the demo's app. */
export function withCredentials<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
  demoApp = "bot",
) {
  return command
    .optionsGroup("Whose credentials are used:")
    .option(...BASE_URL_OPTION)
    .option("--app-id <ID>", "the app")
    .option("--credential-id <ID>", "its credential")
    .option("--app-secret <SECRET>", "its secret; other users of this machine can see it in the list of processes")
    .option("--app-secret-file <FILE>", "its secret, from a file; - is standard input")
    .option("--profile <FILE>", "a JSON file with baseUrl, appId, credentialId and appSecret")
    .addHelpText(
      "after",
      `
Options win over the profile. Without a profile, the demo ${demoApp} of ./${DEMO_FILE} is used if that file exists.`,
    );
}

/** The address of the service, and an app's credentials. */
export interface Credentials {
  baseUrl: string;
  appId: string;
  credentialId: string;
  appSecret: string;
}

/**
 * An app's credentials: from the options, else the profile, else the demo file.
 *
 * @throws UsageError naming what is missing.
 */
export async function credentials(options: CredentialOptions): Promise<Credentials> {
  return completeCredentials(await findCredentials(options));
}

/** Like {@link credentials}, but with the demo's service desk instead of its bot. */
export async function customerCredentials(options: CredentialOptions): Promise<Credentials> {
  return completeCredentials(await findCredentials(options, serviceDeskOf));
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

/** Like {@link credentials}, but undefined when none of them is given. */
export async function credentialsIfAny(options: CredentialOptions): Promise<Credentials | undefined> {
  const found = await findCredentials(options);
  const { appId, credentialId, appSecret } = found;
  return appId === undefined && credentialId === undefined && appSecret === undefined
    ? undefined
    : completeCredentials(found);
}

/** The app of the available credentials: the profile's, else the demo's; undefined when there are none. */
export async function appIdIfAny(profile: string | undefined): Promise<string | undefined> {
  return (await findCredentials({ profile })).appId;
}

/**
 * The app whose events are meant: the option's, else the profile's, else that of the demo which has events of this type.
 *
 * @throws UsageError when there is none.
 */
export async function appIdForEvents(
  eventType: EventType,
  values: { app?: string | undefined; profile?: string | undefined },
): Promise<string> {
  return appIdFor(values, eventType.startsWith("customer.") ? serviceDeskOf : undefined);
}

/**
 * The app that is meant: the option's, else the profile's, else the demo's.
 *
 * @throws UsageError when there is none.
 */
export async function appIdFor(
  { app, profile }: { app?: string | undefined; profile?: string | undefined },
  demoAppOf?: (demo: unknown) => unknown,
): Promise<string> {
  const found = app ?? (await findCredentials({ profile }, demoAppOf)).appId;
  if (found === undefined) throw new UsageError("--app is missing: name the app");
  return found;
}

async function findCredentials(options: CredentialOptions, demoAppOf = (demo: unknown) => memberOf(demo, "cli")) {
  const settings = await storedSettings(options.profile);
  const stored = settings.profile ?? demoAppOf(settings.demo);
  return {
    baseUrl: baseUrlOf(options, settings),
    appId: options.appId ?? textOf(stored, "appId"),
    credentialId: options.credentialId ?? textOf(stored, "credentialId"),
    appSecret:
      (await secretOption("app-secret", options.appSecret, options.appSecretFile)) ?? textOf(stored, "appSecret"),
  };
}

function completeCredentials(found: Awaited<ReturnType<typeof findCredentials>>): Credentials {
  return complete(found, { appId: "--app-id", credentialId: "--credential-id", appSecret: "--app-secret-file" });
}
