import { randomFill } from "node:crypto";
import { existsSync, rmSync, statSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { promisify } from "node:util";

const PIECE_BYTES = 1024 * 1024;
const fillRandomly = promisify(randomFill<Buffer>);

/**
 * A reserve file: deleting it frees space when the disk is full. Its content is random, so that file systems cannot
 * compress it.
 */
export class Ballast {
  readonly #path: string;
  readonly bytes: number;
  #isThere: boolean;
  #making: Promise<void> | null = null;

  constructor(path: string, bytes: number) {
    this.#path = path;
    this.bytes = bytes;
    this.#isThere = statSync(path, { throwIfNoEntry: false })?.size === bytes;
  }

  /** Deletes the file at `path`, also an incomplete one; false when there is none. */
  static remove(path: string): boolean {
    const isThere = existsSync(path);
    rmSync(path, { force: true });
    return isThere;
  }

  get isThere(): boolean {
    return this.#isThere;
  }

  /** Creates the file unless it exists or is being created. Rejects when the disk fails, and leaves no file then. */
  make(): Promise<void> {
    if (this.#isThere) return Promise.resolve();
    this.#making ??= this.#write().finally(() => {
      this.#making = null;
    });
    return this.#making;
  }

  /** Deletes the file, or aborts creating it. */
  drop(): void {
    this.#isThere = false;
    rmSync(this.#path, { force: true });
  }

  async close(): Promise<void> {
    await this.#making?.catch(() => {});
  }

  async #write(): Promise<void> {
    await rm(this.#path, { force: true });
    try {
      await using file = await open(this.#path, "wx", 0o600);
      this.#isThere = true;
      const piece = Buffer.alloc(Math.min(PIECE_BYTES, this.bytes));
      for (let left = this.bytes; left > 0 && this.#isThere; left -= piece.length) {
        await fillRandomly(piece);
        await file.appendFile(piece.subarray(0, left));
      }
      await file.datasync();
    } catch (error) {
      this.drop();
      throw error;
    }
  }
}
