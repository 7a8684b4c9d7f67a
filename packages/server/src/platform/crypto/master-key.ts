import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/config-error.ts";
import { writeWhole } from "../disk/whole-file.ts";
import type { Storage } from "../storage/storage.ts";
import { SecretBox } from "./secret-box.ts";

export const KEY_FILE = "master.key";
/** The row of `meta` by which a key is checked. */
export const CHECK = "master-key-check";

/**
 * The configured master key, or the one in the data directory, which is created there for a new database: completely
 * written and synced before it encrypts anything. The caller must hold the lock of the data directory.
 *
 * @throws ConfigError when the database has secrets already, and their key is missing.
 */
export async function loadMasterKey(config: Config, storage: Storage): Promise<Buffer> {
  if (config.masterKey !== null) return config.masterKey;
  const path = join(config.dataDir, KEY_FILE);
  if (!existsSync(path)) {
    if (await hasSecrets(storage)) throw new ConfigError(`${path} is missing: ${RESTORE_KEY}`);
    await writeWhole(path, randomBytes(32).toString("hex"));
  }
  return readKeyFile(path);
}

const RESTORE_KEY =
  "the secrets in the database can be read with it only. Restore it from a backup, or set PORTICO_MASTER_KEY to it";

async function hasSecrets({ db }: Storage): Promise<boolean> {
  return (await db.selectFrom("meta").select("value").where("name", "=", CHECK).executeTakeFirst()) !== undefined;
}

function readKeyFile(path: string): Buffer {
  const key = Buffer.from(readFileSync(path, "utf8").trim(), "hex");
  if (key.length !== 32) throw new ConfigError(`${path} does not hold a master key: restore it from a backup`);
  return key;
}

/**
 * The master key of a service that has started before.
 *
 * @throws ConfigError when there is none.
 */
export function keyToBackUp(config: Config): Buffer {
  const path = join(config.dataDir, KEY_FILE);
  if (config.masterKey !== null) return config.masterKey;
  if (!existsSync(path)) throw new ConfigError(`${path} is missing: ${RESTORE_KEY}`);
  return readKeyFile(path);
}

/** The master key, if the configuration or the data directory has one; writes nothing. */
export function masterKeyIfAny(config: Config): Buffer | null {
  if (config.masterKey !== null) return config.masterKey;
  const path = join(config.dataDir, KEY_FILE);
  return existsSync(path) ? readKeyFile(path) : null;
}

/** Whether the secrets of a store were encrypted under this key. `box` is what its {@link CHECK} row holds. */
export function isKeyOf(box: string, masterKey: Buffer): boolean {
  try {
    new SecretBox(masterKey).open(box, CHECK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Creates the secret box, after checking that the database was encrypted under the same key.
 *
 * @throws ConfigError when it was not.
 */
export async function openSecretBox(masterKey: Buffer, storage: Storage): Promise<SecretBox> {
  const secretBox = new SecretBox(masterKey);
  const row = await storage.write(async (tx) => {
    await tx
      .insertInto("meta")
      .values({ name: CHECK, value: secretBox.seal(CHECK, CHECK) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return tx.selectFrom("meta").select("value").where("name", "=", CHECK).executeTakeFirstOrThrow();
  });
  if (!isKeyOf(row.value, masterKey)) {
    throw new ConfigError(
      "the master key is not the one this database was written with: set PORTICO_MASTER_KEY, or restore master.key, to it",
    );
  }
  return secretBox;
}
