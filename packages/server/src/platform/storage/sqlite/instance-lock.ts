import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { ConfigError } from "../../config/config-error.ts";

/** Held while the process lives. */
export interface InstanceLock {
  release(): void;
}

/**
 * Takes the data directory for this process alone. The lock is a file lock held through SQLite, which the system lets
 * go the instant the process ends, however it ends.
 *
 * @throws ConfigError when another process has it.
 */
export function lockDataDir(dataDir: string): InstanceLock {
  const owner = join(dataDir, "instance.pid");
  const path = join(dataDir, "instance.lock");
  closeSync(openSync(path, "a", 0o600));
  const database = new Database(path, { timeout: 0 });
  try {
    // A journal on disk would be begun with the lock, for which a full one has no room.
    database.pragma("journal_mode = memory");
    database.exec("begin exclusive");
  } catch (error) {
    database.close();
    if (!isHeldByAnother(error)) throw new ConfigError(`the data directory ${dataDir} cannot be locked: ${error}`);
    throw new ConfigError(
      `another Portico${pidIn(owner)} is running on the data directory ${dataDir}: stop it first, ` +
        "or give this one a directory of its own with PORTICO_DATA_DIR",
    );
  }
  try {
    writeFileSync(owner, String(process.pid), { mode: 0o600 });
  } catch {
    // It only makes the message above more helpful; on a full disk the service starts all the same.
  }
  return { release: () => database.close() };
}

function isHeldByAnother(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
}

function pidIn(file: string): string {
  try {
    return ` (process ${Number(readFileSync(file, "utf8"))})`;
  } catch {
    return "";
  }
}
