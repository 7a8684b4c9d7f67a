import type { BackupReport } from "@portico/server";
import { complain, isoTime } from "./terminal.ts";

const MIB = 1024 * 1024;
/** The most faulty files that are named. */
const NAMED = 10;

/** What a backup contains, in a line; faulty files go to standard error. */
export function backupLines(what: string, { schema, createdAt, files, bytes, faulty }: BackupReport): string[] {
  if (faulty.length > 0) {
    const named = faulty.slice(0, NAMED).map((key) => `  ${key}`);
    const more = faulty.length > NAMED ? [`  and ${faulty.length - NAMED} more`] : [];
    complain(
      `The content of ${faulty.length} files was missing or damaged when the backup was made:`,
      ...named,
      ...more,
    );
  }
  const size = bytes < MIB ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / MIB).toFixed(1)} MiB`;
  return [`${what}${size}, ${files} files, as of ${isoTime(createdAt)}, schema ${schema}`];
}
