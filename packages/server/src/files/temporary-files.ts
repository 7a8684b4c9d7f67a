import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { RequestAborted } from "../http/raw-body.ts";
import type { FileOwner } from "./file-store.ts";
import { UploadTurns } from "./upload-turns.ts";

/** Longer than any request may take; a file this old was left behind by a process that died. */
const ABANDONED_AFTER_MS = 3_600_000;

/** Where one upload lies. There is nothing at either path yet. */
export interface UploadPlace {
  /** For the body as it comes. */
  bodyPath: string;
  /** For the file in it. */
  filePath: string;
  /** Removes what lies there and lets the next upload in. Called once. */
  leave(): Promise<void>;
}

/**
 * Where uploads lie until they are known to be welcome: so many at a time, and so many of one owner. What a crash left
 * behind is swept. Ages are the file system's, not the service's clock's.
 */
export class TemporaryFiles {
  readonly #directory: string;
  readonly #turns = new UploadTurns();

  constructor(directory: string) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  }

  /** A place for an upload of `owner`; null when there is none now. */
  enter(owner: FileOwner): UploadPlace | null {
    return this.#turns.tryBegin(owner) ? this.#placeFor(owner) : null;
  }

  /**
   * A place for the upload that `request` brings, as soon as there is one; until then its body is not read.
   *
   * @throws RequestAborted when the sender goes away, or has been held up for longer than a request may take.
   */
  async waitToEnter(owner: FileOwner, request: IncomingMessage): Promise<UploadPlace> {
    const gone = new AbortController();
    const onGone = () => gone.abort(new RequestAborted("the request was cut off"));
    if (request.destroyed) onGone();
    request.once("close", onGone);
    try {
      await this.#turns.begin(owner, gone.signal);
    } finally {
      request.off("close", onGone);
    }
    return this.#placeFor(owner);
  }

  /** Removes what dead processes left behind. */
  async sweep(): Promise<void> {
    for (const name of await readdir(this.#directory)) {
      const path = join(this.#directory, name);
      const found = await stat(path).catch(() => null);
      if (found !== null && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true });
    }
  }

  #placeFor(owner: FileOwner): UploadPlace {
    const [bodyPath, filePath] = [this.#newPath(), this.#newPath()];
    const leave = async () => {
      try {
        await Promise.all([rm(bodyPath, { force: true }), rm(filePath, { force: true })]);
      } finally {
        this.#turns.end(owner);
      }
    };
    return { bodyPath, filePath, leave };
  }

  #newPath(): string {
    return join(this.#directory, randomUUID());
  }
}
