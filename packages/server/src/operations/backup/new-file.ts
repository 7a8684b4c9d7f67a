import { type FileHandle, link, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ConfigError } from "../../platform/config/config-error.ts";
import { syncDirectory } from "../../platform/disk/sync-directory.ts";

/** What file systems without hard links answer, such as those of USB disks and Windows' servers. */
const NO_LINKS: ReadonlySet<unknown> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/**
 * Writes a new file that only this user can read. It appears under its name when it is complete and on disk, and an
 * existing file is never replaced.
 *
 * @param folder where it is written before, on the same file system; the caller removes it.
 * @throws ConfigError when the file exists already.
 */
export async function writeNewFile(
  path: string,
  folder: string,
  write: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const unfinished = join(folder, "unfinished");
  const file = await open(unfinished, "wx", 0o600);
  try {
    await write(file);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await giveName(unfinished, path);
  } catch (error) {
    throw new ConfigError(`cannot make ${path}: ${error instanceof Error ? error.message : error}`);
  }
  await syncDirectory(dirname(path));
}

/** Fails when somebody has made a file of this name meanwhile. */
async function giveName(unfinished: string, path: string): Promise<void> {
  try {
    await link(unfinished, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && NO_LINKS.has(error.code))) throw error;
    // Takes the name first: a rename would replace another's file.
    await (await open(path, "wx", 0o600)).close();
    await rename(unfinished, path).catch(async (failure: unknown) => {
      await rm(path, { force: true });
      throw failure;
    });
  }
}
