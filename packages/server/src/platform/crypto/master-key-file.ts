import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/config-error.ts";
import { keys32, MOST_KEYS } from "../config/options.ts";
import { readSecret } from "../config/settings.ts";
import { writeWhole } from "../disk/whole-file.ts";

/** In the data directory: the current master key, and below it earlier ones that a rotation is not done with. */
export const KEY_FILE = "master.key";

/** What finds the master keys: the configuration, and where a file of theirs may be. */
export type KeyPlaces = Pick<Config, "dataDir" | "masterKeys" | "masterKeyFile">;

/**
 * The master keys that the configuration or the data directory has at this moment, the current one first; empty when there
 * are none. Writes nothing.
 *
 * @throws ConfigError when a file cannot be read, or holds something else.
 */
export function readMasterKeys({ dataDir, masterKeys, masterKeyFile }: KeyPlaces): readonly Buffer[] {
  if (masterKeyFile !== null) {
    const keys = keys32.read(readSecret("PORTICO_MASTER_KEY_FILE", masterKeyFile));
    if (keys === undefined) throw new ConfigError(`PORTICO_MASTER_KEY_FILE must be ${keys32.expected}`);
    return keys;
  }
  if (masterKeys.length > 0) return masterKeys;
  const path = join(dataDir, KEY_FILE);
  return existsSync(path) ? readKeyFile(path) : [];
}

/** Whether the keys are in the data directory, which the service may change. */
export function ownsKeyFile({ masterKeys }: KeyPlaces): boolean {
  return masterKeys.length === 0;
}

/** Replaces the keys in the data directory: they are all on disk, or none of them. */
export async function writeMasterKeys(dataDir: string, masterKeys: readonly Buffer[]): Promise<void> {
  await writeWhole(join(dataDir, KEY_FILE), textOfKeys(masterKeys));
}

/** What a file with these keys contains. */
export function textOfKeys(masterKeys: readonly Buffer[]): string {
  return masterKeys.map((key) => key.toString("hex")).join("\n");
}

function readKeyFile(path: string): Buffer[] {
  const lines = readFileSync(path, "utf8").trim().split(/\s+/);
  const keys = lines.map((line) => Buffer.from(line, "hex"));
  if (keys.length > MOST_KEYS || keys.some((key) => key.length !== 32))
    throw new ConfigError(`${path} does not hold a master key: restore it from a backup`);
  return keys;
}
