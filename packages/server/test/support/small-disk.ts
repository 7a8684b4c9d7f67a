import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MIB = 1024 * 1024;

/** A file system in memory that a test can fill. */
export interface SmallDisk {
  directory: string;
  /** Fills it with foreign files until at least this many bytes are left. */
  fillUpTo(freeBytes: number): void;
  /** Removes the foreign files. */
  clear(): void;
  dispose(): void;
}

/**
 * Mounts one of `mib` MiB; returns the reason as text when that is not possible here.
 *
 * @param files the most files and folders that it takes; by default as many as fit.
 */
export function mountSmallDisk(mib: number, files?: number): SmallDisk | string {
  if (process.platform !== "linux") return "needs Linux, to mount a small disk";
  const directory = mkdtempSync(join(tmpdir(), "portico-test-"));
  const options = [`size=${mib}m`, ...(files === undefined ? [] : [`nr_inodes=${files}`])].join(",");
  const { status, stderr } = spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", directory]);
  if (status !== 0) {
    rmSync(directory, { recursive: true });
    return `needs the right to mount a small disk (${String(stderr ?? "").trim()})`;
  }
  return {
    directory,
    fillUpTo: (freeBytes) => fill(directory, freeBytes),
    clear: () => rmSync(strangersFile(directory), { force: true }),
    dispose: () => {
      spawnSync("umount", ["-l", directory]);
      rmSync(directory, { recursive: true });
    },
  };
}

const strangersFile = (directory: string) => join(directory, "stranger");

function fill(directory: string, freeBytes: number): void {
  const file = openSync(strangersFile(directory), "a");
  const page = Buffer.alloc(4096, 1);
  const piece = Buffer.alloc(MIB, 1);
  try {
    for (;;) {
      const { bavail, bsize } = statfsSync(directory);
      const left = bavail * bsize - freeBytes;
      if (left < page.length) return;
      writeSync(file, left >= piece.length ? piece : page);
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  } finally {
    closeSync(file);
  }
}
