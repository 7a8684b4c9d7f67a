import { mkdtemp, readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { ConfigError } from "../../platform/config/config-error.ts";

/** `.portico-backup-<machine>-<pid>-<random>`; machines may share a folder. */
const NAME = /^\.portico-backup-(.+)-(\d+)-\w{6}$/;

/**
 * Makes the folder in which a backup is prepared: beside the backup, so that there is room where the operator has made
 * some.
 *
 * @throws ConfigError when that is not possible.
 */
export async function makeWorkFolder(folder: string): Promise<string> {
  try {
    return await mkdtemp(join(folder, `.portico-backup-${hostname()}-${process.pid}-`));
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new ConfigError(`cannot write into ${folder} (${reason}): name a file in a folder that exists`);
  }
}

/**
 * Removes what backups of this machine have left that were killed.
 *
 * @returns their folders' names.
 */
export async function sweepWorkFolders(folder: string): Promise<string[]> {
  const left = (await readdir(folder)).filter((name) => {
    const [, machine, pid] = NAME.exec(name) ?? [];
    return machine === hostname() && !isAlive(Number(pid));
  });
  for (const name of left) await rm(join(folder, name), { recursive: true, force: true });
  return left;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process may not be asked.
    return error instanceof Error && "code" in error && error.code !== "ESRCH";
  }
}
