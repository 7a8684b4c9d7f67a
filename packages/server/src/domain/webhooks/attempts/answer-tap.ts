import type { Socket } from "node:net";

const EMPTY = Buffer.alloc(0);
const END_OF_HEAD = Buffer.from("\r\n\r\n");
/** As much of an answer as tells whether it is an interim one: "HTTP/1.1 1xx". */
const PREFIX_LENGTH = 12;
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d$/;

/**
 * Stands between a socket and the HTTP parser that reads from it.
 *
 * It skips interim answers (100 Continue, 103 Early Hints; RFC 9110, section 15.2: a client must be able to receive them
 * though it asked for none), which the parser takes for an error, and it counts and bounds all bytes of an answer,
 * heads, chunk frames and trailers included, which no limit of the parser covers.
 */
export class AnswerTap {
  readonly #maxBytes: number;
  /**
   * - start: at the beginning of a head, `#held` being less of it than tells what it is;
   * - interim: inside the head of an interim answer, `#held` being its last bytes;
   * - passing: from the final head on.
   */
  #state: "start" | "interim" | "passing" = "passing";
  #held: Buffer = EMPTY;
  #bytes = 0;
  #firstByteAt: number | null = null;
  #onTooLong: (() => void) | null = null;

  /** Taps `socket` from now on; an answer may have up to `maxBytes`. */
  constructor(socket: Socket, maxBytes: number) {
    this.#maxBytes = maxBytes;
    const read = socket.read.bind(socket);
    socket.read = (size?: number) => {
      while (this.#bytes <= this.#maxBytes) {
        const chunk: unknown = read(size);
        if (!(chunk instanceof Buffer)) return chunk;
        const passed = this.#pass(chunk);
        if (passed.length > 0) return passed;
      }
      return null;
    };
  }

  /** When the first byte of the current answer came, on the clock of `performance.now()`; null before. */
  get firstByteAt(): number | null {
    return this.#firstByteAt;
  }

  /** Expects an answer. Once it has passed `maxBytes` bytes the parser gets no more, and `onTooLong` is called. */
  expect(onTooLong: () => void): void {
    this.#state = "start";
    this.#held = EMPTY;
    this.#bytes = 0;
    this.#firstByteAt = null;
    this.#onTooLong = onTooLong;
  }

  #pass(chunk: Buffer): Buffer {
    this.#firstByteAt ??= performance.now();
    const left = this.#maxBytes - this.#bytes;
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes) {
      // Not before the parser has seen what it may see: a complete head decides.
      if (this.#onTooLong !== null) queueMicrotask(this.#onTooLong);
      return this.#skipInterim(chunk.subarray(0, left));
    }
    return this.#state === "passing" ? chunk : this.#skipInterim(chunk);
  }

  /** What is left of `chunk`, and of what was held back, without interim answers. */
  #skipInterim(chunk: Buffer): Buffer {
    let rest = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    this.#held = EMPTY;
    while (this.#state !== "passing") {
      if (this.#state === "interim") {
        const end = rest.indexOf(END_OF_HEAD);
        if (end === -1) {
          this.#held = rest.subarray(-(END_OF_HEAD.length - 1));
          return EMPTY;
        }
        this.#state = "start";
        rest = rest.subarray(end + END_OF_HEAD.length);
      }
      const prefix = rest.toString("latin1", 0, PREFIX_LENGTH);
      if (INTERIM.test(prefix)) this.#state = "interim";
      else if (prefix.length === PREFIX_LENGTH || !"HTTP/1.1 1".startsWith(prefix.slice(0, 10)))
        this.#state = "passing";
      else {
        this.#held = rest;
        return EMPTY;
      }
    }
    return rest;
  }
}
