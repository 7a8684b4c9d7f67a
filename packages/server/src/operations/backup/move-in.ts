import { existsSync, lstatSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "../../platform/config/config-error.ts";
import { KEY_FILE } from "../../platform/crypto/master-key-file.ts";
import { RESTORE_FOLDER } from "../../platform/disk/private-files.ts";
import { syncDirectory } from "../../platform/disk/sync-directory.ts";
import { writeWhole } from "../../platform/disk/whole-file.ts";
import { DATABASE_FILE } from "../../platform/storage/sqlite/sqlite.ts";
import type { BackupReport } from "./format.ts";

/** In the folder of a restore, once all that belongs into the data directory is there, checked and on disk. */
const COMPLETE_FILE = "complete.json";
const BLOBS = "blobs";
/** In the order in which they are moved: with the database, the data directory is a store. */
const PARTS = [BLOBS, KEY_FILE, DATABASE_FILE];

/** Whether nothing but moves is left to do, and some may be done: then these parts in the data directory are the restore's. */
export function isComplete(work: string): boolean {
  return existsSync(join(work, COMPLETE_FILE));
}

/** Says for good that everything is in `work`: from here on, whatever ends the restore, it can go on. */
export async function markComplete(work: string, report: BackupReport): Promise<void> {
  await syncDirectory(work);
  await writeWhole(join(work, COMPLETE_FILE), JSON.stringify(report));
}

/** Of the backup that is complete in `work`. */
export async function completeReport(work: string): Promise<BackupReport> {
  return JSON.parse(await readFile(join(work, COMPLETE_FILE), "utf8"));
}

/** Those parts that the data directory may have while its restore {@link isComplete}. */
export function isPart(name: string): boolean {
  return PARTS.includes(name);
}

/**
 * Has the files be written below the folder of files that is there already, because it may be a file system of its own, to
 * which nothing can be moved, and which must not be replaced. Without one, nothing is done.
 */
export async function stageFiles(work: string, dataDir: string): Promise<void> {
  const blobs = join(dataDir, BLOBS);
  if (!existsSync(blobs)) return;
  await rm(join(blobs, RESTORE_FOLDER), { recursive: true, force: true });
  await mkdir(join(blobs, RESTORE_FOLDER), { mode: 0o700 });
  await symlink(join("..", BLOBS, RESTORE_FOLDER), join(work, BLOBS));
}

/** Whether `name` is the folder for files that an operator has made beforehand, such as for a disk of its own. */
export async function isEmptyFolderOfFiles(dataDir: string, name: string): Promise<boolean> {
  if (name !== BLOBS) return false;
  const found = await readdir(join(dataDir, name)).catch(() => [name]);
  return found.every((one) => one === RESTORE_FOLDER || one === "lost+found");
}

/** Removes what {@link stageFiles} has made, and what was written there. */
export async function unstageFiles(dataDir: string): Promise<void> {
  await rm(join(dataDir, BLOBS, RESTORE_FOLDER), { recursive: true, force: true });
}

function isStaged(path: string): boolean {
  return lstatSync(path).isSymbolicLink();
}

async function moveStaged(blobs: string): Promise<void> {
  const stage = join(blobs, RESTORE_FOLDER);
  for (const name of await readdir(stage)) await rename(join(stage, name), join(blobs, name));
  await syncDirectory(blobs);
  await rm(stage, { recursive: true });
}

/**
 * Moves everything from the restore's folder into the data directory, or the rest of it.
 *
 * @throws ConfigError when the system refuses; the same call goes on later.
 */
export async function moveIn(work: string, dataDir: string): Promise<BackupReport> {
  const report = await completeReport(work);
  try {
    for (const name of PARTS.filter((part) => existsSync(join(work, part)))) {
      if (isStaged(join(work, name))) {
        await moveStaged(join(dataDir, name));
        continue;
      }
      if (existsSync(join(dataDir, name))) throw new Error(`${name} has been put there meanwhile: move it away`);
      await rename(join(work, name), join(dataDir, name));
    }
    await syncDirectory(dataDir);
    // Under another name first: half removed, it would be a restore that is not complete.
    const done = `${work}.done`;
    await rename(work, done);
    await syncDirectory(dataDir);
    await rm(done, { recursive: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new ConfigError(
      `cannot fill ${dataDir}: ${reason}. All of it is in ${work}, and the same command goes on from there`,
    );
  }
  return report;
}
