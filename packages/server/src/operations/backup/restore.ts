import { createReadStream, existsSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { ConfigError } from "../../platform/config/config-error.ts";
import { loadConfig } from "../../platform/config/load-config.ts";
import { faultOf } from "../../platform/crypto/key-state.ts";
import { ownsKeyFile, writeMasterKeys } from "../../platform/crypto/master-key-file.ts";
import { makeDataDir, RESTORE_FOLDER } from "../../platform/disk/private-files.ts";
import { syncDirectory } from "../../platform/disk/sync-directory.ts";
import { lockDataDir } from "../../platform/storage/sqlite/instance-lock.ts";
import { DATABASE_FILE } from "../../platform/storage/sqlite/sqlite.ts";
import { DamagedBackup, readArchive, readHead } from "./archive-reader.ts";
import type { BackupOptions } from "./backup.ts";
import type { BackupReport } from "./format.ts";
import {
  completeReport,
  isComplete,
  isEmptyFolderOfFiles,
  isPart,
  markComplete,
  moveIn,
  stageFiles,
  unstageFiles,
} from "./move-in.ts";
import { openKeys, WrongPassphrase } from "./sealed-key.ts";
import { keyStateIn } from "./snapshot.ts";

/** What a start that failed may have left. */
const HARMLESS = new Set(["instance.lock", "instance.pid", "lost+found", `${RESTORE_FOLDER}.done`]);

/**
 * Fills the empty data directory that `env` configures from a backup, after all of it has been checked: the database by
 * its checksum and SQLite's own check, each file by the checksum in the database, the key by opening a secret with it.
 *
 * A restore that was killed when all of it was there is completed instead, and its report returned.
 *
 * @throws ConfigError with a message for the operator; the data directory is then as it was, or the same call completes it.
 */
export async function restore(
  file: string,
  env: NodeJS.ProcessEnv,
  { passphrase, progress = () => {}, signal }: BackupOptions,
): Promise<BackupReport> {
  const config = loadConfig(env);
  if (config.distributed !== null) {
    throw new ConfigError(
      "a backup of an embedded service is restored to an embedded one: unset PORTICO_DATABASE_URL and PORTICO_REDIS_URL",
    );
  }
  if (!existsSync(file)) throw new ConfigError(`there is no ${file}`);
  const { dataDir } = config;
  await makeDataDir(dataDir);
  await using opened = new AsyncDisposableStack();
  const work = join(dataDir, RESTORE_FOLDER);
  await refuseUsed(dataDir);
  opened.adopt(lockDataDir(dataDir), (lock) => lock.release());
  await rm(`${work}.done`, { recursive: true, force: true });
  if (isComplete(work)) {
    await inWords(file, () => refuseAnother(file, work));
    progress("all of it was there when the last restore was interrupted: completing that one");
    return await moveIn(work, dataDir);
  }
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { mode: 0o700 });
  await syncDirectory(dataDir);
  opened.defer(async () => {
    if (isComplete(work)) return;
    await unstageFiles(dataDir);
    await rm(work, { recursive: true, force: true });
  });
  await stageFiles(work, dataDir);
  let keys = config.masterKeys;
  const onKey = async (sealed: unknown) => {
    const unsealed = await unseal(sealed, passphrase, file);
    if (keys.length > 0 && !unsealed.every((one) => keys.some((key) => key.equals(one)))) {
      throw new ConfigError(
        "PORTICO_MASTER_KEY is another key than the one in the backup: unset it, or set it to that one",
      );
    }
    keys = keys.length > 0 ? keys : unsealed;
  };
  return await inWords(
    file,
    async () => {
      const report = await readArchive(createReadStream(file, { signal }), { folder: work, progress, onKey });
      checkKeys(join(work, DATABASE_FILE), keys);
      // A key that the configuration has stays out of the data directory.
      if (ownsKeyFile(config) && keys.length > 0) await writeMasterKeys(work, keys);
      await markComplete(work, report);
      return await moveIn(work, dataDir);
    },
    signal,
  );
}

/** Says of an archive that cannot be read what is wrong with it. */
async function inWords<Result>(file: string, read: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof DamagedBackup) throw new ConfigError(`${file} is damaged, or no backup: ${error.message}`);
    throw error;
  }
}

/** @throws ConfigError when the restore that was interrupted was of another backup. */
async function refuseAnother(file: string, work: string): Promise<void> {
  const begun = await completeReport(work);
  const { createdAt } = await readHead(createReadStream(file));
  if (createdAt === begun.createdAt) return;
  throw new ConfigError(
    `the restore that was interrupted was of the backup of ${new Date(begun.createdAt).toISOString()}, and ${file} is of ` +
      `${new Date(createdAt).toISOString()}: restore that one, or remove ${work} and what is beside it`,
  );
}

/** @throws ConfigError when the data directory holds anything that a service may have made. */
async function refuseUsed(dataDir: string): Promise<void> {
  const found = await readdir(dataDir);
  const isOurs = async (name: string) =>
    name === RESTORE_FOLDER ||
    (isPart(name) && isComplete(join(dataDir, RESTORE_FOLDER))) ||
    (await isEmptyFolderOfFiles(dataDir, name));
  const others: string[] = [];
  for (const name of found) {
    if (!HARMLESS.has(name) && !(await isOurs(name))) others.push(name);
  }
  if (others.length === 0) return;
  throw new ConfigError(
    `the data directory ${dataDir} is not empty (${others.slice(0, 3).join(", ")}${others.length > 3 ? ", …" : ""}), and a ` +
      "restore replaces nothing: move it away, or name another with PORTICO_DATA_DIR",
  );
}

async function unseal(sealed: unknown, passphrase: string | null, file: string): Promise<Buffer[]> {
  if (passphrase === null) {
    throw new ConfigError(`${file} holds the master key, sealed: set PORTICO_BACKUP_PASSPHRASE to its passphrase`);
  }
  try {
    const keys = await openKeys(sealed, passphrase);
    if (keys === null) throw new DamagedBackup("its master key is no sealed key");
    return keys;
  } catch (error) {
    if (!(error instanceof WrongPassphrase)) throw error;
    throw new ConfigError(`PORTICO_BACKUP_PASSPHRASE is not the passphrase that ${file} was made with`);
  }
}

/** @throws ConfigError when the database's secrets were encrypted under another key, or one more than these. */
function checkKeys(database: string, keys: readonly Buffer[]): void {
  if (keys.length === 0) return;
  const snapshot = new Database(database, { readonly: true });
  try {
    const fault = faultOf(keyStateIn(snapshot), keys);
    if (fault !== null) throw new ConfigError(`the backup's database needs another master key: ${fault}`);
  } finally {
    snapshot.close();
  }
}
