import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncDirectory } from "./sync-directory.ts";

/**
 * Writes a file that only the service's account can read. The file is either absent or complete, also after a power
 * failure. Only the process that holds the data directory's lock may call it.
 */
export async function writeWhole(path: string, text: string): Promise<void> {
  const unfinished = `${path}.new`;
  await rm(unfinished, { force: true });
  try {
    await writeSynced(unfinished, text);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}

async function writeSynced(path: string, text: string): Promise<void> {
  await using file = await open(path, "wx", 0o600);
  await file.writeFile(text);
  await file.sync();
}
