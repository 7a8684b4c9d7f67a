import { type FileHandle, link, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { ConfigError } from "../../platform/config/config-error.ts";
import { syncDirectory } from "../../platform/disk/sync-directory.ts";

/**
 * Writes a new file that only this user can read. It appears under its name when it is complete and on disk; an error
 * leaves nothing, and an existing file is never replaced.
 *
 * @throws ConfigError when the file exists already.
 */
export async function writeNewFile(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  await using undo = new AsyncDisposableStack();
  const unfinished = `${path}.part-${process.pid}`;
  const file = await open(unfinished, "wx", 0o600).catch((error: unknown) => {
    throw new ConfigError(`cannot write beside ${path}: ${messageOf(error)}`);
  });
  undo.defer(() => rm(unfinished, { force: true }));
  try {
    await write(file);
    await file.sync();
  } finally {
    await file.close();
  }
  // Unlike a rename, this fails when somebody has made a file of this name meanwhile.
  await link(unfinished, path).catch((error: unknown) => {
    throw new ConfigError(`cannot make ${path}: ${messageOf(error)}`);
  });
  await rm(unfinished);
  await syncDirectory(dirname(path));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
