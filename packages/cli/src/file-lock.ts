import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, unlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { FailureError } from "./command.ts";
import { codeOf } from "./input.ts";
import { memberOf, numberOf } from "./json.ts";

const POLL_EVERY_MS = 25;
/**
 * Longer than the holder of a lock can need, because calls have timeouts. A holder on another machine that takes longer
 * has died.
 */
const STALE_AFTER_MS = 60_000;
const GIVE_UP_AFTER_MS = 120_000;

/**
 * Runs `work` while no other process with the same path does so, on this machine or on another that shares the file
 * system.
 *
 * The lock is a directory that contains one file with a random name. A process takes the lock by renaming its own
 * directory to the path, which the file system allows only when nothing, or an empty directory, is there. To release
 * the lock, or to break the lock of a dead process, exactly that file is removed. So nobody can remove a lock other
 * than the intended one, and a process that dies at any point blocks the others only for a short time.
 *
 * @throws FailureError when the lock cannot be obtained.
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
    // Windows reports this for any directory at the target path, empty or not.
    if (isTaken || (process.platform === "win32" && codeOf(error) === "EPERM")) return false;
    throw error;
  }
}

/** Releases the lock with this name; does nothing when another process holds it now. */
async function release(path: string, name: string): Promise<void> {
  await unlink(join(path, name)).catch(() => {});
  // This removes only an empty directory.
  await rmdir(path).catch(() => {});
}

/** The holder of the lock and whether it has died; undefined when the lock is free. */
async function holderOf(path: string): Promise<{ name: string; isStale: boolean } | undefined> {
  try {
    const [name] = await readdir(path);
    if (name === undefined) return undefined;
    const file = join(path, name);
    const isOld = Date.now() - (await stat(file)).mtimeMs > STALE_AFTER_MS;
    return { name, isStale: isOld || isDead(await readFile(file, "utf8")) };
  } catch (error) {
    // The lock is free, or was released meanwhile.
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
