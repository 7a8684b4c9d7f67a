import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Writes a file, for the service's own account alone, so that whoever finds it finds all of it, after a power cut too.
 * To be called by one process at a time: whoever holds the data directory.
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
