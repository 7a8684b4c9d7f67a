import { closeSync, fdatasyncSync, openSync, readSync, writeSync } from "node:fs";
import type Database from "better-sqlite3";
import { ConfigError } from "../../config/config-error.ts";
import { isDiskFull } from "../../disk/disk-full.ts";

const PIECE_BYTES = 1024 * 1024;

/**
 * Writes the write-ahead log at `path` again and syncs it, because the previous process may have failed to sync it. Its
 * pages can be read, but the system considers them written: a sync alone would not write them again, and a power
 * failure would lose them after they were acknowledged, or partly copied into the database. So they are rewritten
 * before anything reads them. Nobody else may have the database open.
 *
 * @throws ConfigError when the disk fails.
 */
export function rewriteLog(path: string): void {
  let file: number;
  try {
    file = openSync(path, "r+");
  } catch (error) {
    // No log: the previous process ended cleanly.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return;
    throw unfit(path, error);
  }
  try {
    const piece = Buffer.alloc(PIECE_BYTES);
    for (let position = 0; ; ) {
      const length = readSync(file, piece, 0, PIECE_BYTES, position);
      if (length === 0) break;
      for (let written = 0; written < length; ) {
        written += writeSync(file, piece, written, length - written, position + written);
      }
      position += length;
    }
    fdatasyncSync(file);
  } catch (error) {
    throw unfit(path, error);
  } finally {
    closeSync(file);
  }
}

/**
 * Copies the whole log into the database and truncates it, both synced. On a full disk the log stays: it is complete,
 * and is copied once there is space.
 *
 * @throws ConfigError when the disk fails.
 */
export function emptyLog(database: Database.Database): void {
  try {
    database.pragma("wal_checkpoint(truncate)");
  } catch (error) {
    if (!isDiskFull(error)) throw unfit(database.name, error);
  }
}

function unfit(path: string, error: unknown): ConfigError {
  const why = error instanceof Error ? error.message : String(error);
  return new ConfigError(
    `the disk does not take what was written to ${path} before (${why}): see to the disk, then start again, ` +
      "or restore a backup to another one",
  );
}
