import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { ConfigError } from "../config/config-error.ts";
import type { Storage } from "../storage/storage.ts";
import { CHECK, faultOf, readKeyState, sealingOf } from "./key-state.ts";
import { KEY_FILE, type KeyPlaces, readMasterKeys, writeMasterKeys } from "./master-key-file.ts";
import { SecretBox } from "./secret-box.ts";

/**
 * The configured master keys, or those in the data directory, where one is created for a new database: completely written
 * and synced before it encrypts anything. The caller must hold the lock of the data directory.
 *
 * @throws ConfigError when the database has secrets already, and their key is missing.
 */
export async function loadMasterKeys(places: KeyPlaces, storage: Storage): Promise<readonly Buffer[]> {
  const keys = readMasterKeys(places);
  if (keys.length > 0) return keys;
  if ((await readKeyState(storage.db)).check !== null) throw new ConfigError(missingKey(places));
  await writeMasterKeys(places.dataDir, [randomBytes(32)]);
  return readMasterKeys(places);
}

/**
 * The master keys of a service that has started before.
 *
 * @throws ConfigError when there are none.
 */
export function keysToBackUp(places: KeyPlaces): readonly Buffer[] {
  const keys = readMasterKeys(places);
  if (keys.length === 0) throw new ConfigError(missingKey(places));
  return keys;
}

function missingKey({ dataDir }: KeyPlaces): string {
  return (
    `${join(dataDir, KEY_FILE)} is missing: the secrets in the database can be read with it only. Restore it from a ` +
    "backup, or set PORTICO_MASTER_KEY to it"
  );
}

/**
 * Creates the secret box, after checking that these keys are those that the database was encrypted under.
 *
 * @throws ConfigError when they are not, or one that is still needed is missing.
 */
export async function openSecretBox(masterKeys: readonly Buffer[], storage: Storage): Promise<SecretBox> {
  const state = await storage.write(async (tx) => {
    await tx
      .insertInto("meta")
      .values({ name: CHECK, value: new SecretBox(masterKeys).seal(CHECK, CHECK) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return await readKeyState(tx);
  });
  const fault = faultOf(state, masterKeys);
  if (fault !== null) throw new ConfigError(fault);
  return new SecretBox(masterKeys, sealingOf(state, masterKeys) ?? undefined);
}
