/** Exit codes of the service. */
export const SERVICE_EXITS = {
  /** It was stopped. */
  STOPPED: 0,
  /** The start or the stop failed. */
  FAILED: 1,
  /** The disk has failed (EX_IOERR of sysexits.h), so the service ended itself; it may be restarted. */
  DISK_FAILED: 74,
  /** A newer version has migrated the database, or the master key was rotated without this process (EX_TEMPFAIL). */
  REPLACED: 75,
} as const;

/** Exit codes of the command `portico`. */
export const COMMAND_EXITS = {
  DONE: 0,
  /** The call was refused, or failed. */
  FAILED: 1,
  /** Wrong usage. */
  USAGE: 2,
  /** A check found something to do, or that is not done yet. */
  DUE: 3,
  /** Interrupted by Ctrl-C while it followed a stream. */
  INTERRUPTED: 130,
} as const;
