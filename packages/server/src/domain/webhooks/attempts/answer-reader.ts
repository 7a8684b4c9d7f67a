import { type AnswerHead, checkLineEnds, HeadReader } from "./answer-head.ts";
import { ChunkReader } from "./chunk-reader.ts";
import { InvalidAnswer } from "./invalid-answer.ts";

const EMPTY = Buffer.alloc(0);
const END_OF_HEAD = Buffer.from("\r\n\r\n");
/** How an answer begins: what does not is refused before its head is complete, which it may never be. */
const BEGINNING = "HTTP/1.";
/** Also the bound for joining the pieces of a head, each with all before it. */
const MAX_HEAD_BYTES = 32 * 1_024;
const SWITCHING_PROTOCOLS = 101;

/**
 * Reads one answer of HTTP/1.1 from the pieces in which it arrives (RFC 9112). Interim answers (100 Continue, 103 Early
 * Hints), which a client must accept unasked (RFC 9110, section 15.2), are skipped.
 */
export class AnswerReader {
  readonly #heads: HeadReader;
  #head: AnswerHead | null = null;
  /** The beginning of a head, and how far its end was sought in it. */
  #pending: Buffer = EMPTY;
  #sought = 0;
  /** The missing bytes of a body of known length. */
  #left = 0;
  #chunks: ChunkReader | null = null;
  readonly #body: Buffer[] = [];
  #isDone = false;
  #isOverrun = false;

  /** @param heads of the connection. */
  constructor(heads = new HeadReader()) {
    this.#heads = heads;
  }

  /** Null until it is complete. */
  get head(): AnswerHead | null {
    return this.#head;
  }

  /** What has arrived of the body, without the framing of chunks. */
  get body(): Buffer {
    const [first = EMPTY] = this.#body;
    return this.#body.length > 1 ? Buffer.concat(this.#body) : first;
  }

  /** Whether the whole answer has been read. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Whether bytes came after its end. */
  get isOverrun(): boolean {
    return this.#isOverrun;
  }

  /**
   * Reads the next piece, of which it keeps parts.
   *
   * @throws InvalidAnswer for what is not HTTP/1.1; what was read before it counts.
   */
  read(piece: Buffer): void {
    let rest = piece;
    if (this.#head === null) {
      const head = this.#readHeads(piece);
      if (head === null) return;
      rest = this.#pending;
      this.#pending = EMPTY;
      this.#begin(head);
    }
    if (rest.length > 0) this.#readBody(rest);
  }

  /** The server has ended the connection. @returns whether this is the end of the answer, too. */
  end(): boolean {
    if (this.#head?.bodyEnd === "connection") this.#isDone = true;
    return this.#isDone;
  }

  /** The final answer's head, once it is complete; `#pending` has what follows it. */
  #readHeads(piece: Buffer): AnswerHead | null {
    this.#pending = this.#pending.length === 0 ? piece : Buffer.concat([this.#pending, piece]);
    for (;;) {
      const end = this.#pending.indexOf(END_OF_HEAD, this.#sought);
      if ((end === -1 ? this.#pending.length : end) > MAX_HEAD_BYTES)
        throw new InvalidAnswer(`its head is longer than ${MAX_HEAD_BYTES} bytes`);
      if (end === -1) {
        const beginning = this.#pending.toString("latin1", 0, Math.min(this.#pending.length, BEGINNING.length));
        if (!BEGINNING.startsWith(beginning)) throw new InvalidAnswer(`it does not begin with ${BEGINNING}`);
        // A head that is never complete must not wait for the deadline.
        checkLineEnds(this.#pending.toString("latin1", Math.max(0, this.#sought - 1)));
        this.#sought = Math.max(0, this.#pending.length - END_OF_HEAD.length + 1);
        return null;
      }
      const head = this.#heads.read(this.#pending.toString("latin1", 0, end));
      this.#pending = this.#pending.subarray(end + END_OF_HEAD.length);
      this.#sought = 0;
      if (head.status === SWITCHING_PROTOCOLS) throw new InvalidAnswer("it switches to a protocol nobody asked for");
      if (head.status >= 200) return head;
    }
  }

  #begin(head: AnswerHead): void {
    this.#head = head;
    if (head.bodyEnd === "last-chunk") this.#chunks = new ChunkReader();
    else if (head.bodyEnd !== "connection") this.#expect(head.bodyEnd);
  }

  #expect(left: number): void {
    this.#left = left;
    this.#isDone = left === 0;
  }

  #readBody(piece: Buffer): void {
    if (this.#isDone) {
      this.#isOverrun = true;
    } else if (this.#chunks !== null) {
      const read = this.#chunks.read(piece, (content) => this.#body.push(content));
      this.#isDone = this.#chunks.isDone;
      this.#isOverrun = read < piece.length;
    } else if (this.#head?.bodyEnd === "connection") {
      this.#body.push(piece);
    } else {
      this.#isOverrun = piece.length > this.#left;
      this.#body.push(this.#isOverrun ? piece.subarray(0, this.#left) : piece);
      this.#expect(Math.max(0, this.#left - piece.length));
    }
  }
}
