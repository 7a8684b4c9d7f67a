import { readFile } from "node:fs/promises";
import { UsageError } from "./command.ts";
import { codeOf, readText } from "./input.ts";
import { memberOf, textOf } from "./json.ts";

/** Written by the service's first start in this directory; holds accounts of the demo world. */
export const DEMO_FILE = "data/demo.json";
const DEFAULT_BASE_URL = "http://localhost:8080";

/** Options for the address of the service, as the command line gives them. */
export interface AddressOptions {
  baseUrl?: string | undefined;
  profile?: string | undefined;
}

export const BASE_URL_OPTION = ["--base-url <URL>", `address of the service (default ${DEFAULT_BASE_URL})`] as const;

/** What the files say; a profile stands in for the demo's bot wholly, so that the two never mix into one credential. */
export interface StoredSettings {
  /** What a profile says; undefined without one. */
  profile: unknown;
  /** The demo world; undefined where there is none. */
  demo: unknown;
}

export async function storedSettings(profile: string | undefined): Promise<StoredSettings> {
  const demo = await readJson(DEMO_FILE, { optional: true });
  return { demo, profile: profile === undefined ? undefined : await readJson(profile, { optional: false }) };
}

/** Where the service is: by the option, else the profile, else the demo file, else the default. */
export function baseUrlOf(options: AddressOptions, { profile, demo }: StoredSettings): string {
  const stored = profile === undefined ? memberOf(demo, "cli") : profile;
  const baseUrl = options.baseUrl ?? textOf(stored, "baseUrl") ?? DEFAULT_BASE_URL;
  const url = URL.parse(baseUrl);
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (!isOrigin) throw new UsageError("the base URL must be an address such as http://localhost:8080, without a path");
  return url.origin;
}

/** A secret from an option, or from the file that the option of that name with `-file` gives. */
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
 * Narrows away what is missing, or names it by the options that would give it.
 *
 * @param otherwise another way to give it, to be named first.
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
