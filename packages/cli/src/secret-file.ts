import { randomUUID } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { FailureError, UsageError } from "./command.ts";
import { codeOf } from "./input.ts";

/**
 * A file for a secret that is yet to come, for this user's eyes only. Until {@link keep}, what is at its path stays as it
 * is; so a call that fails destroys nothing, and a place that cannot be written is found before the call.
 */
export class SecretFile implements AsyncDisposable {
  readonly #path: string;
  readonly #next: string;
  readonly #handle: FileHandle;
  #isKept = false;

  private constructor(path: string, next: string, handle: FileHandle) {
    this.#path = path;
    this.#next = next;
    this.#handle = handle;
  }

  /** @throws UsageError when no file can be written there. */
  static async prepare(path: string): Promise<SecretFile> {
    const next = `${path}.${randomUUID()}`;
    try {
      return new SecretFile(path, next, await open(next, "wx", 0o600));
    } catch (error) {
      throw new UsageError(`cannot write ${path}: ${codeOf(error)}`);
    }
  }

  /**
   * Puts the file in its place, with the secret as its only line.
   *
   * @throws FailureError when that fails.
   */
  async keep(secret: string): Promise<void> {
    try {
      await this.#handle.writeFile(`${secret}\n`);
      await this.#handle.sync();
      await rename(this.#next, this.#path);
      this.#isKept = true;
    } catch (error) {
      throw new FailureError(`cannot write ${this.#path}: ${codeOf(error)}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
    if (!this.#isKept) await rm(this.#next, { force: true });
  }
}
