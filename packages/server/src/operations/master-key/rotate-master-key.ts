import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { MasterKeyRotation } from "../../domain/master-key/rotation.ts";
import { settleMsOf } from "../../domain/master-key/settle.ts";
import { systemClock } from "../../platform/clock/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import { ConfigError } from "../../platform/config/config-error.ts";
import { loadConfig } from "../../platform/config/load-config.ts";
import { faultOf, isResealed, readKeyState } from "../../platform/crypto/key-state.ts";
import { keysToBackUp, openSecretBox } from "../../platform/crypto/master-key.ts";
import { KEY_FILE, ownsKeyFile, readMasterKeys, textOfKeys } from "../../platform/crypto/master-key-file.ts";
import { keyIdOf } from "../../platform/crypto/secret-box.ts";
import { syncDirectory } from "../../platform/disk/sync-directory.ts";
import { Retirement } from "../../platform/retirement.ts";
import { openReadOnly } from "../../platform/storage/open-read-only.ts";
import { openStorage } from "../../platform/storage/open-storage.ts";
import { type InstanceLock, lockDataDir } from "../../platform/storage/sqlite/instance-lock.ts";
import { refuseMoved } from "../../platform/storage/sqlite/moved-mark.ts";

/** The steps that {@link resealNow} needs at most. */
const MOST_STEPS = 5;

/** What {@link rotateMasterKey} has begun. */
export interface BegunRotation {
  from: string;
  to: string;
  /** Whether a service is running, which does the rest; else all that is stored has been sealed anew already. */
  isRunning: boolean;
}

/**
 * Puts a new master key before the one in the data directory of an embedded service. A running service takes it up within
 * seconds, and goes on while it does; without one, all that is stored is sealed anew at once. Interrupted, the next start
 * goes on.
 *
 * @throws ConfigError with a message for the operator; nothing has changed then.
 */
export async function rotateMasterKey(env: NodeJS.ProcessEnv): Promise<BegunRotation> {
  const config = loadConfig(env);
  if (!ownsKeyFile(config)) throw new ConfigError(howToRotate(config));
  refuseMoved(config.dataDir);
  // Names the file also when there is none, before anything is made.
  keysToBackUp(config);
  await using opened = new AsyncDisposableStack();
  const lock = lockIfFree(config.dataDir);
  if (lock !== null) opened.adopt(lock, (held) => held.release());
  const { from, to } = await addKey(config);
  if (lock !== null) await resealNow(config);
  return { from: keyIdOf(from), to: keyIdOf(to), isRunning: lock === null };
}

function howToRotate({ masterKeyFile }: Config): string {
  const where = masterKeyFile === null ? "the value of PORTICO_MASTER_KEY" : masterKeyFile;
  const then =
    masterKeyFile === null ? "restart the processes one after the other" : "the running processes read the file again";
  return (
    `the master key is yours, not the service's: put a new one (openssl rand -hex 32) before the one in ${where}, with a ` +
    `comma or a line end between them, for every process; ${then}. \`portico master-key status\` says how far it is`
  );
}

function lockIfFree(dataDir: string): InstanceLock | null {
  try {
    return lockDataDir(dataDir);
  } catch (error) {
    if (error instanceof ConfigError) return null;
    throw error;
  }
}

async function addKey(config: Config): Promise<{ from: Buffer; to: Buffer }> {
  const { dataDir } = config;
  await using opened = new AsyncDisposableStack();
  const storage = opened.adopt(await openReadOnly(config), (open) => open.close());
  const path = join(dataDir, KEY_FILE);
  const unfinished = `${path}.rotate`;
  const file = await open(unfinished, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
    throw new ConfigError(`another command is rotating the master key: if none is, remove ${unfinished}`);
  });
  try {
    // Only now: nobody else changes a file with one key in it.
    const keys = readMasterKeys(config);
    const state = await readKeyState(storage.db);
    const fault = faultOf(state, keys);
    if (fault !== null) throw new ConfigError(fault);
    const [from, ...others] = keys;
    if (from === undefined || others.length > 0 || !isResealed(state)) {
      throw new ConfigError("the last rotation is not over: `portico master-key status` says how far it is");
    }
    const to = randomBytes(32);
    await file.writeFile(textOfKeys([to, from]));
    await file.sync();
    await rename(unfinished, path);
    await syncDirectory(dataDir);
    return { from, to };
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** What a service would do, without waiting for callers, of which there are none. */
async function resealNow(config: Config): Promise<void> {
  const log = pino({ level: "warn" }, pino.destination(2));
  await using opened = new AsyncDisposableStack();
  const storage = opened.adopt(await openStorage(config, { log }), (open) => open.close());
  const masterKeys = readMasterKeys(config);
  const secretBox = await openSecretBox(masterKeys, storage);
  const rotation = opened.adopt(
    new MasterKeyRotation({
      ...{ storage, secretBox, masterKeys, log, places: config },
      ...{ isAlone: true, settleMs: settleMsOf(config), quietMs: 0 },
      dueClock: systemClock,
      retirement: new Retirement(),
    }),
    (open) => open.close(),
  );
  for (let step = 0; step < MOST_STEPS; step++) {
    await rotation.run();
    const state = await readKeyState(storage.db);
    if (state.rotation?.to === secretBox.sealingKeyId && isResealed(state)) return;
  }
  throw new ConfigError("not everything could be sealed anew: start the service, which goes on, and look at its log");
}
