/** What the service's process ends with. */
export const SERVICE_EXITS = {
  /** It was told to stop, and has. */
  STOPPED: 0,
  /** The start or the stop failed. */
  FAILED: 1,
  /** The disk has failed (EX_IOERR of sysexits.h): the service has ended itself, and may be started again. */
  DISK_FAILED: 74,
  /** A newer version has taken the database over (EX_TEMPFAIL): that version is to be started. */
  REPLACED: 75,
} as const;

/** What the command `portico` ends with. */
export const COMMAND_EXITS = {
  DONE: 0,
  /** It was refused, or failed. */
  FAILED: 1,
  /** It was used wrongly. */
  USAGE: 2,
  /** Ctrl-C ended it while it followed something that goes on. */
  INTERRUPTED: 130,
} as const;
