import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/config-error.ts";
import { writeWhole } from "../disk/whole-file.ts";
import type { Storage } from "../storage/storage.ts";
import { SecretBox } from "./secret-box.ts";

export const KEY_FILE = "master.key";
const CHECK = "master-key-check";

/**
 * The configured master key, or the one in the data directory, which is created there if necessary: completely written
 * and synced before it encrypts anything. The caller must hold the lock of the data directory.
 */
export async function loadMasterKey(config: Config): Promise<Buffer> {
  if (config.masterKey !== null) return config.masterKey;
  const path = join(config.dataDir, KEY_FILE);
  if (!existsSync(path)) await writeWhole(path, randomBytes(32).toString("hex"));
  const key = Buffer.from(readFileSync(path, "utf8").trim(), "hex");
  if (key.length !== 32) throw new ConfigError(`${path} does not hold a master key: restore it from a backup`);
  return key;
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
  try {
    secretBox.open(row.value, CHECK);
  } catch {
    throw new ConfigError(
      "the master key is not the one this database was written with: set PORTICO_MASTER_KEY, or restore master.key, to it",
    );
  }
  return secretBox;
}
