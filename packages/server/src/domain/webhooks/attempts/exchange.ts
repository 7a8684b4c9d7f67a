import type { HeadReader } from "./answer-head.ts";
import { AnswerReader } from "./answer-reader.ts";

/** How an exchange ended: with the complete answer, or the reason why it was ended early. */
export type ExchangeEnd = "complete" | "deadline" | "too-long" | "cancelled" | "broken";

/** The most bytes of an answer in total: interim answers, head, body with its framing, trailers. */
export const MAX_ANSWER_BYTES = 64 * 1_024;

/** One request and its answer on a connection. It does not change after its end. */
export class Exchange {
  readonly #answer: AnswerReader;
  readonly #onEnd: () => void;
  #bytes = 0;
  #firstByteAt: number | null = null;
  #end: ExchangeEnd | null = null;
  #error: Error | null = null;
  /** Whether any part of the request may have been sent. */
  started = false;

  /**
   * @param onEnd called once, when the exchange has ended.
   * @param heads of the connection.
   */
  constructor(onEnd: () => void, heads?: HeadReader) {
    this.#onEnd = onEnd;
    this.#answer = new AnswerReader(heads);
  }

  /** The status of the answer; null when its head is incomplete. */
  get status(): number | null {
    return this.#answer.head?.status ?? null;
  }

  /** The answer's Content-Encoding, in lower case. */
  get encoding(): string {
    return this.#answer.head?.encoding ?? "";
  }

  /** The received part of the answer's body, still encoded. */
  get body(): Buffer {
    return this.#answer.body;
  }

  /** Whether bytes came after the end of the answer. */
  get isOverrun(): boolean {
    return this.#answer.isOverrun;
  }

  /** When the first byte of the answer arrived, by `performance.now()`; null before. */
  get firstByteAt(): number | null {
    return this.#firstByteAt;
  }

  /** Null until it has ended. */
  get end(): ExchangeEnd | null {
    return this.#end;
  }

  /** The error that ended it. */
  get error(): Error | null {
    return this.#error;
  }

  /** For how long the server keeps the idle connection, in milliseconds; infinity if it does not say, 0 if it does not. */
  get keptForMs(): number {
    const { head, isOverrun } = this.#answer;
    if (this.#end !== "complete" || head === null || !head.isKept || isOverrun) return 0;
    return head.keptForSeconds === null ? Number.POSITIVE_INFINITY : head.keptForSeconds * 1_000;
  }

  /** Ends the exchange; does nothing when it has ended already. */
  finish(end: ExchangeEnd, error: Error | null = null): void {
    if (this.#end !== null) return;
    this.#end = end;
    this.#error = error;
    this.#onEnd();
  }

  /** A piece of the answer has arrived. */
  receive(piece: Buffer): void {
    if (this.#end !== null) return;
    this.#firstByteAt ??= performance.now();
    const room = MAX_ANSWER_BYTES - this.#bytes;
    this.#bytes += piece.length;
    try {
      // The allowed bytes may contain a complete head.
      this.#answer.read(piece.length > room ? piece.subarray(0, room) : piece);
    } catch (error) {
      this.finish("broken", error instanceof Error ? error : new Error(String(error)));
      return;
    }
    if (this.#answer.isDone) this.finish("complete");
    else if (piece.length > room) this.finish("too-long");
  }

  /** The connection has ended, by this error or in good order. */
  lose(error: Error | null): void {
    if (error === null && this.#answer.end()) this.finish("complete");
    else this.finish("broken", error ?? new ConnectionEnded());
  }
}

/** The receiver has ended the connection within an exchange. */
class ConnectionEnded extends Error {
  override readonly name = "ConnectionEnded";
  readonly code = "ECONNRESET";
  override readonly message = "the connection has ended";
}
