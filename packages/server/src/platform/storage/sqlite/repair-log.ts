import { closeSync, fdatasyncSync, openSync, readSync, writeSync } from "node:fs";
import type Database from "better-sqlite3";
import { ConfigError } from "../../config/config-error.ts";
import { isDiskFull } from "../../disk/disk-full.ts";

const PIECE_BYTES = 1024 * 1024;

/**
 * Puts on disk what a process before this one wrote to the write-ahead log at `path` and may have failed to sync. Such
 * pages can still be read, yet the system takes them for written: no sync alone would write them again, and a power cut
 * would take them back after they had been told of, or copied in part into the database. So they are written anew,
 * before anything reads them. To be called while nobody else has the database open.
 *
 * @throws ConfigError when the disk does not take it.
 */
export function rewriteLog(path: string): void {
  let file: number;
  try {
    file = openSync(path, "r+");
  } catch (error) {
    // The process before ended well.
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
 * Copies the whole log into the database and empties it, both synced. On a full disk the log is left as it is: it is
 * whole, and is copied once there is room.
 *
 * @throws ConfigError when the disk does not take it.
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
