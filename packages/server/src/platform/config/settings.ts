import { readFileSync } from "node:fs";
import { ConfigError } from "./config-error.ts";

/** A value as given, with the name that the operator used. */
export interface Setting {
  name: string;
  raw: string;
}

/** The environment variable of a key: `limits.fileKeyTtl` is `PORTICO_LIMITS_FILE_KEY_TTL`. */
export function variableOf(key: string): string {
  return `PORTICO_${key
    .replaceAll(".", "_")
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toUpperCase()}`;
}

/**
 * Collects the values of `keys` from the file named by `PORTICO_CONFIG` and from the environment, which takes
 * precedence.
 *
 * @throws ConfigError when either has an unknown key, or the file cannot be read.
 */
export function readSettings(env: NodeJS.ProcessEnv, keys: readonly string[]): Map<string, Setting> {
  const settings = new Map<string, Setting>();
  const file = env.PORTICO_CONFIG;
  if (file !== undefined) for (const [key, setting] of readFile(file, keys)) settings.set(key, setting);

  const keyOf = new Map(keys.map((key) => [variableOf(key), key]));
  for (const [name, raw] of Object.entries(env)) {
    if (!name.startsWith("PORTICO_") || name.startsWith("PORTICO_TEST_") || name === "PORTICO_CONFIG") continue;
    const key = keyOf.get(name);
    if (key === undefined) throw new ConfigError(`unknown environment variable ${name}: see docs/configuration.md`);
    settings.set(key, { name, raw: raw ?? "" });
  }
  return settings;
}

function readFile(file: string, keys: readonly string[]): Map<string, Setting> {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new ConfigError(`PORTICO_CONFIG: cannot read ${file}: ${cause instanceof Error ? cause.message : cause}`);
  }
  const settings = new Map<string, Setting>();
  const visit = (value: unknown, key: string) => {
    const name = `${file}: ${key}`;
    if (typeof value === "object" && value !== null && !Array.isArray(value) && !keys.includes(key)) {
      const isGroup = key === "" || keys.some((known) => known.startsWith(`${key}.`));
      if (!isGroup) throw new ConfigError(`unknown key ${name}`);
      for (const [member, inner] of Object.entries(value)) visit(inner, key === "" ? member : `${key}.${member}`);
    } else if (!keys.includes(key)) {
      throw new ConfigError(`${key === "" ? `${file} must hold a JSON object` : `unknown key ${name}`}`);
    } else if (Array.isArray(value)) {
      settings.set(key, { name, raw: value.join(",") });
    } else if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
      settings.set(key, { name, raw: String(value) });
    } else {
      throw new ConfigError(`${name} must be a text or a number`);
    }
  };
  visit(json, "");
  return settings;
}
