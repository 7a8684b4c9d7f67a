import { InvalidAnswer } from "./invalid-answer.ts";

const CR = 0x0d;
const LF = 0x0a;
/** The size of a chunk, and extensions, which mean nothing here. */
const SIZE_LINE = /^([0-9a-f]{1,8})[ \t]*(?:;[^\0\r\n]*)?$/i;
/** Bytes of a line that are looked at: a size has its digits at the beginning. */
const MAX_LINE = 256;

/** Takes the content out of a chunked body (RFC 9112, section 7.1). Of extensions and trailers nothing is kept. */
export class ChunkReader {
  /**
   * - size: within the line of a chunk's size;
   * - data: within its content, of which `#left` bytes are missing;
   * - after: before the CRLF that follows the content;
   * - trailer: within the lines after the last chunk.
   */
  #state: "size" | "data" | "after" | "trailer" | "done" = "size";
  #left = 0;
  #line = "";
  /** Whether the last byte of a line was a CR. */
  #hasReturned = false;

  /** Whether the last chunk and the trailers have been read. */
  get isDone(): boolean {
    return this.#state === "done";
  }

  /**
   * Reads a piece, and gives the content in it to `take`.
   *
   * @returns the number of bytes read, fewer than the piece has when the body ended in it.
   * @throws InvalidAnswer
   */
  read(piece: Buffer, take: (content: Buffer) => void): number {
    let at = 0;
    while (at < piece.length && this.#state !== "done") {
      if (this.#state === "data") {
        const end = Math.min(piece.length, at + this.#left);
        take(piece.subarray(at, end));
        this.#left -= end - at;
        at = end;
        if (this.#left === 0) this.#state = "after";
      } else {
        this.#readByte(piece[at++] ?? 0);
      }
    }
    return at;
  }

  #readByte(byte: number): void {
    if (this.#hasReturned) {
      if (byte !== LF) throw new InvalidAnswer("a line of a chunk has a carriage return without a line feed");
      this.#hasReturned = false;
      this.#endLine();
    } else if (byte === CR) {
      this.#hasReturned = true;
    } else if (byte === LF || this.#state === "after") {
      throw new InvalidAnswer(
        this.#state === "after"
          ? "a chunk is longer than its size says"
          : "a line of a chunk ends with a line feed alone",
      );
    } else if (this.#line.length < MAX_LINE) {
      this.#line += String.fromCharCode(byte);
    }
  }

  #endLine(): void {
    const line = this.#line;
    this.#line = "";
    if (this.#state === "after") {
      this.#state = "size";
    } else if (this.#state === "trailer") {
      if (line === "") this.#state = "done";
    } else {
      const size = SIZE_LINE.exec(line)?.[1];
      if (size === undefined) throw new InvalidAnswer("the size of a chunk is no hexadecimal number");
      this.#left = Number.parseInt(size, 16);
      this.#state = this.#left === 0 ? "trailer" : "data";
    }
  }
}
