import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Its time of change is that of the last backup; who backs up by other means touches it too. */
const LAST_BACKUP_FILE = "last-backup";

/** Notes that a backup is complete. */
export async function noteBackup(dataDir: string, at: Date): Promise<void> {
  await writeFile(join(dataDir, LAST_BACKUP_FILE), `${at.toISOString()}\n`, { mode: 0o600 });
}

/** When a backup was noted last, in epoch milliseconds; null when none was. */
export async function lastBackupAt(dataDir: string): Promise<number | null> {
  return await stat(join(dataDir, LAST_BACKUP_FILE)).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  );
}
