import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { ConfigError } from "./config-error.ts";

/** A value as given, with the name that the operator used. */
export interface Setting {
  name: string;
  raw: string;
  /** The file that it was read from, if a variable with `_FILE` named one. */
  file?: string;
}

/** Variables that are no keys: of this function, and of commands that share the service's environment. */
const OF_COMMANDS: ReadonlySet<string> = new Set([
  "PORTICO_CONFIG",
  "PORTICO_BACKUP_PASSPHRASE",
  "PORTICO_BACKUP_PASSPHRASE_FILE",
  "PORTICO_BROWSER",
]);

/** The environment variable of a key: `limits.fileKeyTtl` is `PORTICO_LIMITS_FILE_KEY_TTL`. */
export function variableOf(key: string): string {
  return `PORTICO_${key
    .replaceAll(".", "_")
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toUpperCase()}`;
}

/**
 * Collects the values of `keys` from the file named by `PORTICO_CONFIG` and from the environment, which takes
 * precedence. The variable of a secret, followed by `_FILE`, names a file that contains it.
 *
 * @throws ConfigError when either has an unknown key, or a file cannot be read.
 */
export function readSettings(
  env: NodeJS.ProcessEnv,
  keys: readonly string[],
  secrets: readonly string[],
): Map<string, Setting> {
  const settings = new Map<string, Setting>();
  const file = env.PORTICO_CONFIG;
  if (file !== undefined) for (const [key, setting] of readFile(file, keys)) settings.set(key, setting);

  const keyOf = new Map(keys.map((key) => [variableOf(key), key]));
  const secretOf = new Map(secrets.map((key) => [`${variableOf(key)}_FILE`, key]));
  for (const [name, raw] of Object.entries(env)) {
    if (!name.startsWith("PORTICO_") || name.startsWith("PORTICO_TEST_") || OF_COMMANDS.has(name)) continue;
    const key = keyOf.get(name);
    const secret = secretOf.get(name);
    if (secret !== undefined) {
      const variable = variableOf(secret);
      if (env[variable] !== undefined) throw new ConfigError(`${variable} and ${name} exclude each other: set one`);
      const file = raw ?? "";
      settings.set(secret, { name, raw: readSecret(name, file), file });
      continue;
    }
    if (key === undefined) throw new ConfigError(`unknown environment variable ${name}: see docs/configuration.md`);
    settings.set(key, { name, raw: raw ?? "" });
  }
  return settings;
}

/** More than any secret has. */
const MAX_SECRET_BYTES = 65_536;

/**
 * The passphrase of backups, from `PORTICO_BACKUP_PASSPHRASE` or the file that `PORTICO_BACKUP_PASSPHRASE_FILE` names;
 * null without either.
 *
 * @throws ConfigError when both are set, the file cannot be read, or what is set is empty: a backup without the key
 * would not be noticed before it is needed.
 */
export function backupPassphrase(env: NodeJS.ProcessEnv): string | null {
  const { PORTICO_BACKUP_PASSPHRASE: passphrase, PORTICO_BACKUP_PASSPHRASE_FILE: file } = env;
  if (passphrase !== undefined && file !== undefined) {
    throw new ConfigError("PORTICO_BACKUP_PASSPHRASE and PORTICO_BACKUP_PASSPHRASE_FILE exclude each other: set one");
  }
  const found = file === undefined ? passphrase : readSecret("PORTICO_BACKUP_PASSPHRASE_FILE", file);
  if (found !== "") return found ?? null;
  const name =
    file === undefined ? "PORTICO_BACKUP_PASSPHRASE" : `${file}, which PORTICO_BACKUP_PASSPHRASE_FILE names,`;
  throw new ConfigError(`${name} is empty: set a passphrase, or unset it to leave the master key out`);
}

/** Who has the backup can try passphrases without end, each for about the cost of a sign-in. */
const LEAST_PASSPHRASE_CHARACTERS = 12;

/**
 * What a new backup may be sealed with. Older ones are opened with whatever they were made with.
 *
 * @throws ConfigError for a passphrase that is too short.
 */
export function refuseShortPassphrase(passphrase: string): void {
  const characters = [...passphrase.normalize("NFKC").trim()].length;
  if (characters >= LEAST_PASSPHRASE_CHARACTERS) return;
  throw new ConfigError(
    `the passphrase of backups has ${characters} characters, and needs ${LEAST_PASSPHRASE_CHARACTERS}, as it can be guessed from the ` +
      "backup: set a longer PORTICO_BACKUP_PASSPHRASE, or write one into the file that PORTICO_BACKUP_PASSPHRASE_FILE names",
  );
}

/**
 * The value of a variable, or of the file that the variable with `_FILE` names; null without either.
 *
 * @throws ConfigError when both are set, or the file cannot be read.
 */
export function secretIn(env: NodeJS.ProcessEnv, variable: string): string | null {
  const { [variable]: value, [`${variable}_FILE`]: file } = env;
  if (value && file) throw new ConfigError(`${variable} and ${variable}_FILE exclude each other: set one`);
  const found = file ? readSecret(`${variable}_FILE`, file) : value;
  return found || null;
}

/**
 * The content of the file that the variable `name` names, without the line end that editors and `echo` add. Messages never
 * quote it.
 *
 * @throws ConfigError when it cannot be read.
 */
export function readSecret(name: string, file: string): string {
  try {
    const content = readUpTo(file, MAX_SECRET_BYTES);
    if (content !== null) return content.toString("utf8").replace(/[\r\n]+$/, "");
  } catch (cause) {
    throw new ConfigError(`${name}: cannot read ${file}: ${codeOf(cause)}`);
  }
  throw new ConfigError(`${name}: ${file} is too large to be a secret`);
}

/** The content of a file, which may be a pipe or a device, too; null when it has more than `most` bytes. */
function readUpTo(file: string, most: number): Buffer | null {
  const buffer = Buffer.alloc(most + 1);
  const fd = openSync(file, "r");
  try {
    let length = 0;
    for (let read = -1; read !== 0 && length <= most; length += read) {
      read = readSync(fd, buffer, length, buffer.length - length, null);
    }
    return length > most ? null : buffer.subarray(0, length);
  } finally {
    closeSync(fd);
  }
}

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && "code" in cause ? cause.code : cause;
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
