import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

const OUTPUT_MAX_BYTES = 64 * 1024 * 1024;
const UPSTREAM = "origin/main";

/** The differences from a state of the repository. */
export interface Changes {
  /** The state they were compared with, in words. */
  base: string;
  /** Absolute paths, including deleted files and files that git does not track yet. */
  files: string[];
}

/**
 * The files in the working tree of the repository at `root` that differ from `since`. The default is the commit where
 * the branch left origin/main, or HEAD~1 when there is no origin/main or nothing differs from it.
 *
 * @throws when git does not run there or does not know `since`.
 */
export async function changedFiles(root: string, since?: string): Promise<Changes> {
  if (since !== undefined) return { base: since, files: await differing(root, since) };
  const fork = await git(root, "merge-base", "HEAD", UPSTREAM).catch(() => null);
  if (fork !== null) {
    const files = await differing(root, fork.trim());
    if (files.length > 0) return { base: UPSTREAM, files };
  }
  return { base: "HEAD~1", files: await differing(root, "HEAD~1") };
}

async function differing(root: string, base: string): Promise<string[]> {
  const [known, unknown] = await Promise.all([
    git(root, "diff", "--name-only", "--no-renames", "-z", base, "--"),
    git(root, "ls-files", "--others", "--exclude-standard", "-z"),
  ]);
  const names = `${known}${unknown}`.split("\0").filter((name) => name !== "");
  return [...new Set(names)].sort().map((name) => resolve(root, name));
}

async function git(root: string, ...args: string[]): Promise<string> {
  const { stdout } = await run("git", ["-C", root, ...args], { maxBuffer: OUTPUT_MAX_BYTES });
  return stdout;
}
