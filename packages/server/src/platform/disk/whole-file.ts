import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Writes a file that only the service's account can read. The file is either absent or complete, also after a power
 * failure. Only the process that holds the data directory's lock may call it.
 */
export function writeWhole(path: string, text: string): void {
  const unfinished = `${path}.new`;
  rmSync(unfinished, { force: true });
  try {
    const file = openSync(unfinished, "wx", 0o600);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
  syncDirectory(dirname(path));
}

/** Syncs a directory: a sync of its files does not make their names durable. */
export function syncDirectory(directory: string): void {
  const handle = openSync(directory, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
