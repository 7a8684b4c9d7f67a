import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { ConfigError } from "../config/config-error.ts";

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
    database.pragma("journal_mode = delete");
    database.exec("begin exclusive");
  } catch {
    database.close();
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

function pidIn(file: string): string {
  try {
    return ` (process ${Number(readFileSync(file, "utf8"))})`;
  } catch {
    return "";
  }
}
