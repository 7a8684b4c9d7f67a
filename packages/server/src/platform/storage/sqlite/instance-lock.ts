import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { ConfigError } from "../../config/config-error.ts";

/** Held until the process ends. */
export interface InstanceLock {
  release(): void;
}

/**
 * Locks the data directory for this process. The lock is a file lock taken through SQLite, which the system releases
 * when the process ends, however it ends.
 *
 * @throws ConfigError when another process holds it.
 */
export function lockDataDir(dataDir: string): InstanceLock {
  const owner = join(dataDir, "instance.pid");
  const path = join(dataDir, "instance.lock");
  closeSync(openSync(path, "a", 0o600));
  const database = new Database(path, { timeout: 0 });
  try {
    // A journal on disk would be created with the lock, which fails when the disk is full.
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
    // The file only improves the message above; the service must start even when the disk is full.
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
