import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { PassThrough, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Pack, pack } from "tar-stream";

/** What was read of a file while it was written to the archive. */
export interface Packed {
  bytes: number;
  /** In hex. */
  sha256: string;
}

/** Writes the entries of a tar archive one after another. */
export class ArchiveWriter {
  readonly #pack: Pack;
  readonly #mtime: Date;
  readonly #signal: AbortSignal | undefined;

  private constructor(archive: Pack, mtime: Date, signal: AbortSignal | undefined) {
    this.#pack = archive;
    this.#mtime = mtime;
    this.#signal = signal;
  }

  /** Runs `write`, and resolves when all of the archive is in `out`. `mtime` is the time that every entry gets. */
  static async write(
    out: Writable,
    { mtime, signal }: { mtime: Date; signal: AbortSignal | undefined },
    write: (archive: ArchiveWriter) => Promise<void>,
  ): Promise<void> {
    const archive = pack();
    const written = pipeline(archive, out);
    // When writing fails, e.g. on a full disk, an entry that waits for room would wait for ever.
    const failed = written.then(() => new Promise<never>(() => {}));
    await Promise.race([write(new ArchiveWriter(archive, mtime, signal)), failed]).catch((error: unknown) => {
      archive.destroy();
      throw error;
    });
    archive.finalize();
    await written;
  }

  async json(name: string, value: unknown): Promise<void> {
    const content = `${JSON.stringify(value, null, 2)}\n`;
    const header = { name, mode: 0o600, mtime: this.#mtime };
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#pack.entry(header, content, (error) => (error ? reject(error) : resolve()));
    await promise;
  }

  /** Adds the file at `path`, which must not change meanwhile. */
  async fileAt(name: string, path: string): Promise<Packed> {
    // Opened before its header is written: a file that is removed meanwhile can still be read.
    await using file = await open(path);
    return await this.file(name, file);
  }

  /** Adds the content of a file, which stays open. */
  async file(name: string, file: FileHandle): Promise<Packed> {
    const { size } = await file.stat();
    const hash = createHash("sha256");
    const tap = new PassThrough().on("data", (chunk: Buffer) => hash.update(chunk));
    const entry = this.#pack.entry({ name, size, mode: 0o600, mtime: this.#mtime });
    await pipeline(file.createReadStream({ autoClose: false }), tap, entry, { signal: this.#signal });
    return { bytes: size, sha256: hash.digest("hex") };
  }
}
