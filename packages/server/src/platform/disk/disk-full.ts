/**
 * What SQLite, the system and PostgreSQL call a disk, or an account's share of it, that is full. SQLite says it in a way of its
 * own of the index of its log, which it makes when it opens a database.
 */
const CODES = new Set(["SQLITE_FULL", "SQLITE_IOERR_SHMSIZE", "ENOSPC", "EDQUOT", "53100"]);
const MAX_CAUSES = 8;

/** Whether `error` or one of its causes says that a disk is full. */
export function isDiskFull(error: unknown): boolean {
  for (let depth = 0, at = error; depth < MAX_CAUSES && at instanceof Error; depth++, at = at.cause) {
    if ("code" in at && CODES.has(String(at.code))) return true;
  }
  return false;
}
