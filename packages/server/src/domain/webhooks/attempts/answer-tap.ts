import type { Socket } from "node:net";

const EMPTY = Buffer.alloc(0);
const END_OF_HEAD = Buffer.from("\r\n\r\n");
/** The bytes that show whether an answer is interim: "HTTP/1.1 1xx". */
const PREFIX_LENGTH = 12;
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d$/;

/**
 * A filter between a socket and the HTTP parser that reads from it. It removes interim answers (100 Continue, 103 Early
 * Hints), which the parser treats as an error although a client must accept them unasked (RFC 9110, section 15.2). It
 * also counts and limits all bytes of an answer, including heads, chunk framing and trailers, which no limit of the
 * parser covers.
 */
export class AnswerTap {
  readonly #maxBytes: number;
  /**
   * - start: at the beginning of a head; `#held` has its first bytes, too few to tell its kind;
   * - interim: inside the head of an interim answer; `#held` has its last bytes;
   * - passing: from the beginning of the final head on.
   */
  #state: "start" | "interim" | "passing" = "passing";
  #held: Buffer = EMPTY;
  #bytes = 0;
  #firstByteAt: number | null = null;
  #onTooLong: (() => void) | null = null;

  /**
   * Attaches to `socket`.
   *
   * @param maxBytes the most bytes of an answer.
   */
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

  /** When the first byte of the current answer arrived, by `performance.now()`; null before. */
  get firstByteAt(): number | null {
    return this.#firstByteAt;
  }

  /** Expects an answer. After `maxBytes` bytes the parser receives no more, and `onTooLong` is called. */
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
      // After the parser has processed the allowed bytes: they may contain a complete head.
      if (this.#onTooLong !== null) queueMicrotask(this.#onTooLong);
      return this.#skipInterim(chunk.subarray(0, left));
    }
    return this.#state === "passing" ? chunk : this.#skipInterim(chunk);
  }

  /** The bytes of `chunk`, and of those held before, without interim answers. */
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
