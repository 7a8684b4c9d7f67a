import { Readable } from "node:stream";
import type { JsonItems } from "./json-items.ts";

/** A body is passed to the connection in pieces of so many bytes. */
const PIECE_BYTES = 64 * 1024;

/** The same bytes in pieces, without copying them. */
export function* inPieces(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) yield bytes.subarray(from, from + PIECE_BYTES);
}

/**
 * The body of an answer that is read while it is sent. Keeps one slice at a time: the next is read when the reader has
 * taken the previous one, which is no longer in memory then.
 */
export class SlicedBody extends Readable {
  readonly #begun: Buffer[];
  readonly #slices: AsyncGenerator<JsonItems>;
  readonly #onError: (error: unknown) => void;

  /**
   * @param begun the beginning of the body.
   * @param slices the rest; abandoned when the reader disconnects.
   * @param onError told the error that ends the body early.
   */
  constructor(begun: Buffer[], slices: AsyncGenerator<JsonItems>, onError: (error: unknown) => void) {
    // With any other mark the stream would read ahead.
    super({ highWaterMark: 0 });
    this.#begun = begun;
    this.#slices = slices;
    this.#onError = onError;
  }

  override _read(): void {
    const bytes = this.#begun.shift();
    if (bytes === undefined) void this.#readOn();
    else this.#pass(bytes);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#begun.length = 0;
    this.#slices.return(undefined).catch(this.#onError);
    done(error);
  }

  async #readOn(): Promise<void> {
    try {
      for (;;) {
        const slice = await this.#slices.next();
        if (this.destroyed) return;
        if (slice.done) return void this.push(null);
        const bytes = slice.value.take();
        if (bytes.length > 0) return this.#pass(bytes);
      }
    } catch (error) {
      this.#onError(error);
      this.destroy(error instanceof Error ? error : new Error("the answer broke off", { cause: error }));
    }
  }

  #pass(bytes: Buffer): void {
    for (const piece of inPieces(bytes)) this.push(piece);
  }
}
