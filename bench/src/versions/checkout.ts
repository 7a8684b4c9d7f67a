import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { OWN_CHECKOUT } from "../../../scripts/test-run/start-settings.ts";
import { guardAgainstOrphans } from "../../../scripts/test-services/orphan-guard.ts";

const run = promisify(execFile);

/** The files of a commit in a directory, with the packages that it needs. */
export interface Checkout {
  /** The directory, with a slash at its end. */
  directory: URL;
  /** Removes the directory. */
  remove(): Promise<void>;
}

/**
 * Puts the files of a commit of this repository into a temporary directory and installs the packages that they need,
 * without their scripts; returns the reason when that is not possible, for example because the history ends after it.
 *
 * @param commit anything that git takes for one.
 */
export async function checkOut(commit: string): Promise<Checkout | { missing: string }> {
  await using undo = new AsyncDisposableStack();
  const base = await mkdtemp(join(tmpdir(), "portico-bench-version-"));
  undo.defer(() => rm(base, { recursive: true, force: true, maxRetries: 3 }));
  undo.defer(guardAgainstOrphans(base));
  const [archive, directory] = [join(base, "files.tar"), join(base, "files")];
  try {
    const cwd = fileURLToPath(OWN_CHECKOUT);
    // Resolved first: what is handed to git as the name of a commit is then none of its options.
    const { stdout } = await run("git", ["rev-parse", "--verify", "--end-of-options", `${commit}^{commit}`], { cwd });
    await run("git", ["archive", "--format=tar", `--output=${archive}`, stdout.trim()], { cwd });
    await mkdir(directory);
    await run("tar", ["-xf", archive, "-C", directory]);
    await run("npm", ["ci", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund"], { cwd: directory });
  } catch (error) {
    return { missing: `commit ${commit} cannot be had: ${firstLineOf(error)}` };
  }
  const opened = undo.move();
  return { directory: pathToFileURL(`${directory}/`), remove: () => opened.disposeAsync() };
}

/** What a program that failed said first, or what was wrong with calling it. */
function firstLineOf(error: unknown): string {
  const said = error instanceof Error && "stderr" in error && typeof error.stderr === "string" ? error.stderr : "";
  const text = said.trim() || (error instanceof Error ? error.message : String(error));
  return text.split("\n", 1)[0] ?? "";
}
