import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, unlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { FailureError } from "./command.ts";
import { codeOf } from "./input.ts";
import { memberOf, numberOf } from "./json.ts";

const POLL_EVERY_MS = 25;
/** Whoever holds a lock is done within the timeout of a call; who is not has died where that cannot be seen. */
const STALE_AFTER_MS = 60_000;
const GIVE_UP_AFTER_MS = 120_000;

/**
 * Does work while no other process of this machine, or of one that shares the file system, does any under the same path.
 *
 * The lock is a directory that holds one file, whose name is new each time. To take the lock is to rename a directory of
 * one's own to the path, which the file system refuses unless nothing, or an empty directory, is there; to give it back, or
 * to break one whose holder has died, is to remove that very file. So nobody ever removes a lock other than the one that
 * they mean, and a process that dies at whatever point is in nobody's way for long.
 *
 * @throws FailureError when the lock cannot be had.
 */
export async function withLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const name = randomUUID();
  await take(path, name);
  try {
    return await work();
  } finally {
    await release(path, name);
  }
}

async function take(path: string, name: string): Promise<void> {
  const giveUpAt = Date.now() + GIVE_UP_AFTER_MS;
  try {
    for (;;) {
      const holder = await holderOf(path);
      if (holder === undefined && (await tryToTake(path, name))) return;
      if (Date.now() > giveUpAt)
        throw new FailureError(`${path} is held by another command; if there is none, remove it`);
      if (holder?.isStale) await release(path, holder.name);
      else await sleep(POLL_EVERY_MS);
    }
  } catch (error) {
    if (error instanceof FailureError) throw error;
    throw new FailureError(`cannot lock ${path}: ${codeOf(error)}`);
  }
}

async function tryToTake(path: string, name: string): Promise<boolean> {
  const own = `${path}.${name}`;
  try {
    await mkdir(own, { mode: 0o700 });
    await writeFile(join(own, name), JSON.stringify({ pid: process.pid, host: hostname() }), { mode: 0o600 });
    await rename(own, path);
    return true;
  } catch (error) {
    await rm(own, { recursive: true, force: true });
    const isTaken = ["ENOTEMPTY", "EEXIST"].includes(codeOf(error));
    // Windows says this of a directory that is in the way, empty or not.
    if (isTaken || (process.platform === "win32" && codeOf(error) === "EPERM")) return false;
    throw error;
  }
}

/** Gives back the lock of that name; does nothing when it is another's by now. */
async function release(path: string, name: string): Promise<void> {
  await unlink(join(path, name)).catch(() => {});
  // Only an empty directory is removed by this.
  await rmdir(path).catch(() => {});
}

/** Who has the lock, and whether they are no more; undefined when nobody has it. */
async function holderOf(path: string): Promise<{ name: string; isStale: boolean } | undefined> {
  try {
    const [name] = await readdir(path);
    if (name === undefined) return undefined;
    const file = join(path, name);
    const isOld = Date.now() - (await stat(file)).mtimeMs > STALE_AFTER_MS;
    return { name, isStale: isOld || isDead(await readFile(file, "utf8")) };
  } catch (error) {
    // There is none, or it has been given back meanwhile.
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function isDead(holder: string): boolean {
  try {
    const parsed: unknown = JSON.parse(holder);
    const pid = numberOf(parsed, "pid");
    if (pid === undefined || memberOf(parsed, "host") !== hostname()) return false;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return codeOf(error) === "ESRCH";
  }
}
