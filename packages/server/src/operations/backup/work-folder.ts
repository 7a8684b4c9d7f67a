import { readlinkSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { ConfigError } from "../../platform/config/config-error.ts";
import type { Progress } from "./format.ts";

/** Where numbers of processes mean something: containers that share a name of the machine have some of their own. */
const MACHINE = `${hostname()}-${namespaceOfPids()}`;
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
    return await mkdtemp(join(folder, `.portico-backup-${MACHINE}-${process.pid}-`));
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new ConfigError(`cannot write into ${folder} (${reason}): name a file in a folder that exists`);
  }
}

/**
 * Removes what backups of this machine have left that were killed, as far as this user may, and tells of each.
 */
export async function sweepWorkFolders(folder: string, progress: Progress): Promise<void> {
  // Of a folder that cannot be read, whoever writes into it tells.
  for (const name of await readdir(folder).catch(() => [])) {
    const [, machine, pid] = NAME.exec(name) ?? [];
    if (machine !== MACHINE || isAlive(Number(pid))) continue;
    try {
      await rm(join(folder, name), { recursive: true, force: true });
      progress(`removed ${name}, which a backup that was killed had left`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : error;
      progress(`a backup that was killed has left ${name}, which cannot be removed: ${reason}`);
    }
  }
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

/** Linux numbers them; elsewhere there is one. */
function namespaceOfPids(): string {
  try {
    return /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0";
  } catch {
    return "0";
  }
}
