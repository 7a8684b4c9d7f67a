import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { link, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Writable } from "node:stream";
import { ConfigError } from "../../platform/config/config-error.ts";
import { syncDirectory } from "../../platform/disk/sync-directory.ts";

/**
 * Writes a new file that only this user can read. It appears under its name when it is complete and on disk; whatever
 * ends the work before leaves nothing, and an existing file is never replaced.
 *
 * @param write writes to the stream and ends it.
 * @throws ConfigError when the file exists already.
 */
export async function writeNewFile(path: string, write: (out: Writable) => Promise<void>): Promise<void> {
  await using undo = new AsyncDisposableStack();
  const unfinished = `${path}.part-${process.pid}`;
  const out = createWriteStream(unfinished, { flags: "wx", mode: 0o600, flush: true });
  await once(out, "open").catch((error: unknown) => {
    throw new ConfigError(`cannot write beside ${path}: ${messageOf(error)}`);
  });
  undo.defer(() => rm(unfinished, { force: true }));
  const closed = once(out, "close");
  try {
    await write(out);
  } finally {
    out.destroy();
    await closed;
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
