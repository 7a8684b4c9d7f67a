/**
 * Error codes of SQLite, the system and PostgreSQL for a full disk or an exceeded disk quota. SQLite has a separate
 * code for the index of its log, which is created when a database is opened.
 */
const CODES = new Set(["SQLITE_FULL", "SQLITE_IOERR_SHMSIZE", "ENOSPC", "EDQUOT", "53100"]);
const MAX_CAUSES = 8;

/** Whether `error` or one of its causes reports a full disk. */
export function isDiskFull(error: unknown): boolean {
  for (let depth = 0, at = error; depth < MAX_CAUSES && at instanceof Error; depth++, at = at.cause) {
    if ("code" in at && CODES.has(String(at.code))) return true;
  }
  return false;
}
