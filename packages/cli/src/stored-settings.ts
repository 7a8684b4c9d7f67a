import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { UsageError } from "./command.ts";
import { codeOf, readText } from "./input.ts";
import { memberOf, textOf } from "./json.ts";

/** Written by the first start of the service in its data directory; contains the demo's accounts. */
export const DEMO_FILE = "data/demo.json";
const DEFAULT_DATA_DIR = "./data";
const DEFAULT_BASE_URL = "http://localhost:8080";

/** Command-line options for the address of the service. */
export interface AddressOptions {
  baseUrl?: string | undefined;
  profile?: string | undefined;
}

export const BASE_URL_OPTION = [
  "--base-url <URL>",
  `address of the service (default $PORTICO_BASE_URL, else ${DEFAULT_BASE_URL})`,
] as const;

/** The contents of the files. A profile replaces the demo's bot completely, so that the two are never mixed. */
export interface StoredSettings {
  /** The profile; undefined without one. */
  profile: unknown;
  /** The demo; undefined when there is none. */
  demo: unknown;
}

export async function storedSettings(profile: string | undefined): Promise<StoredSettings> {
  const demo = await readJson(demoFile(), { optional: true });
  return { demo, profile: profile === undefined ? undefined : await readJson(profile, { optional: false }) };
}

/** The demo's file, in the data directory that the service has with this environment. */
function demoFile(): string {
  return join(process.env.PORTICO_DATA_DIR || DEFAULT_DATA_DIR, "demo.json");
}

/** The address of the service that is named, by the option, the profile or the environment; undefined when none is. */
export function namedBaseUrl(
  options: AddressOptions,
  { profile }: Pick<StoredSettings, "profile">,
): string | undefined {
  return options.baseUrl ?? textOf(profile, "baseUrl") ?? (process.env.PORTICO_BASE_URL || undefined);
}

/** The address of the service: the one that is named, else that of the demo file, else the default. */
export function baseUrlOf(options: AddressOptions, settings: StoredSettings): string {
  const demo = settings.profile === undefined ? memberOf(settings.demo, "cli") : undefined;
  const baseUrl = namedBaseUrl(options, settings) ?? textOf(demo, "baseUrl") ?? DEFAULT_BASE_URL;
  // Node 20 has no URL.parse.
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (!isOrigin) throw new UsageError("the base URL must be an address such as http://localhost:8080, without a path");
  return url.origin;
}

/** A secret from an option, or from the file that the corresponding `-file` option names. */
export async function secretOption(
  name: string,
  secret: string | undefined,
  file: string | undefined,
): Promise<string | undefined> {
  if (file === undefined) return secret;
  if (secret !== undefined) throw new UsageError(`--${name} and --${name}-file exclude each other`);
  return (await readText(file)).replace(/\r?\n$/, "");
}

/**
 * Asserts that nothing is missing; otherwise names the options to give.
 *
 * @param otherwise another way to give it, named first.
 */
export function complete<Found extends Record<string, string | undefined>>(
  found: Found,
  optionOf: Partial<Record<keyof Found, string>>,
  otherwise = "",
): { [Name in keyof Found]: string } {
  const missing = Object.entries(found).filter(([, value]) => value === undefined || value === "");
  if (missing.length > 0) {
    const options = missing.map(([name]) => optionOf[name] ?? name).join(", ");
    const remedy = `${otherwise}give what is missing, or run \`npm start\` here once, which writes ./${DEMO_FILE}`;
    throw new UsageError(`no ${options}: ${remedy}`);
  }
  return found as { [Name in keyof Found]: string };
}

/** Does not show the parser's message: it quotes the file, which contains a secret. */
async function readJson(file: string, { optional }: { optional: boolean }): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`${file} is not valid JSON`);
    if (optional && codeOf(error) === "ENOENT") return undefined;
    throw new UsageError(`cannot read ${file}: ${codeOf(error)}`);
  }
}
