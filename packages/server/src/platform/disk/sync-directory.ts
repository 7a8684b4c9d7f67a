import { open } from "node:fs/promises";

/** Syncs a directory: a sync of its files does not make their names durable. */
export async function syncDirectory(directory: string): Promise<void> {
  await using handle = await open(directory);
  await handle.sync();
}
