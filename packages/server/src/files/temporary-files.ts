import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** Longer than any request may take; a file this old was left behind by a process that died. */
const ABANDONED_AFTER_MS = 3_600_000;

/**
 * Where uploads lie until they are known to be welcome. Whoever asks for a path removes the file at it; those that a
 * crash left behind are swept. Ages are the file system's, not the service's clock's.
 */
export class TemporaryFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  }

  /** A path at which there is nothing yet. */
  newPath(): string {
    return join(this.#directory, randomUUID());
  }

  /** Removes the file at `path`, if there is one. */
  async remove(path: string): Promise<void> {
    await rm(path, { force: true });
  }

  /** Removes what dead processes left behind. */
  async sweep(): Promise<void> {
    for (const name of await readdir(this.#directory)) {
      const path = join(this.#directory, name);
      const found = await stat(path).catch(() => null);
      if (found !== null && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS) await this.remove(path);
    }
  }
}
