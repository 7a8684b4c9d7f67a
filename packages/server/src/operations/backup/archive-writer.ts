import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { type Pack, pack } from "tar-stream";

/** What was read of a file while it was written to the archive. */
export interface Packed {
  bytes: number;
  /** In hex. */
  sha256: string;
}

const GIVEN_UP = new Error("the archive was given up");

/** How an archive is written. */
interface Writing {
  /** The time that every entry gets. */
  mtime: Date;
  /** Ends the work. */
  signal: AbortSignal | undefined;
}

/**
 * Writes the entries of a tar archive one after another. The parts are not joined by `pipeline`, which does not always
 * notice the end of this library's streams.
 */
export class ArchiveWriter {
  readonly #pack: Pack;
  readonly #writing: Writing;
  /** Rejects when the archive cannot be written; never resolves before its end. */
  readonly #written: Promise<void>;

  private constructor(archive: Pack, writing: Writing, written: Promise<void>) {
    this.#pack = archive;
    this.#writing = writing;
    this.#written = written;
  }

  /** Runs `write`, and resolves when all of the archive is in `file`. */
  static async write(
    file: FileHandle,
    writing: Writing,
    write: (archive: ArchiveWriter) => Promise<void>,
  ): Promise<void> {
    const archive = pack();
    const written = writeAll(archive, file);
    // It is awaited below, or with an entry.
    written.catch(() => {});
    try {
      await write(new ArchiveWriter(archive, writing, written));
    } catch (error) {
      archive.destroy(GIVEN_UP);
      throw error;
    }
    archive.finalize();
    await written;
  }

  async json(name: string, value: unknown): Promise<void> {
    const content = `${JSON.stringify(value, null, 2)}\n`;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const header = { name, mode: 0o600, mtime: this.#writing.mtime };
    this.#pack.entry(header, content, (error) => (error ? reject(error) : resolve()));
    await Promise.race([promise, this.#written]);
  }

  /** Adds the file at `path`, which must not change meanwhile. */
  async fileAt(name: string, path: string): Promise<Packed> {
    // Opened before its header is written: a file that is removed meanwhile can still be read.
    await using file = await open(path);
    return await this.file(name, file);
  }

  /** Adds the content of a file, which stays open. */
  async file(name: string, file: FileHandle): Promise<Packed> {
    const { mtime, signal } = this.#writing;
    const { size } = await file.stat();
    const hash = createHash("sha256");
    const { promise: added, resolve, reject } = Promise.withResolvers<void>();
    added.catch(() => {});
    const entry = this.#pack.entry({ name, size, mode: 0o600, mtime }, (error) => (error ? reject(error) : resolve()));
    for await (const chunk of file.createReadStream({ autoClose: false, start: 0 })) {
      signal?.throwIfAborted();
      hash.update(chunk);
      if (entry.write(chunk)) continue;
      const drained = new Promise<void>((done) => void entry.once("drain", done));
      await Promise.race([drained, added, this.#written]);
    }
    entry.end(undefined);
    await Promise.race([added, this.#written]);
    return { bytes: size, sha256: hash.digest("hex") };
  }
}

async function writeAll(archive: Pack, file: FileHandle): Promise<void> {
  try {
    for await (const chunk of archive as AsyncIterable<Uint8Array>) await file.appendFile(chunk);
  } catch (error) {
    archive.destroy(GIVEN_UP);
    throw error;
  }
}
