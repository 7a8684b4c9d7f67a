import type { Dispatcher } from "undici";

/** How an exchange ended: with the complete answer, or the reason why it was ended early. */
export type ExchangeEnd = "complete" | "deadline" | "too-long" | "cancelled" | "broken";

/**
 * One request and its answer on a connection, assembled from the HTTP client's events. It does not change after its
 * end.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #onEnd: () => void;
  #started = false;
  #status: number | null = null;
  #encoding = "";
  readonly #body: Buffer[] = [];
  #end: ExchangeEnd | null = null;
  #error: Error | null = null;

  /** @param onEnd called once, when the exchange has ended. */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  /** Whether any part of the request may have been sent. */
  get started(): boolean {
    return this.#started;
  }

  /** The status of the answer; null when its head is incomplete. */
  get status(): number | null {
    return this.#status;
  }

  /** The answer's Content-Encoding, in lower case. */
  get encoding(): string {
    return this.#encoding;
  }

  /** The received part of the answer's body, still encoded; the connection limits its length. */
  get body(): Buffer {
    return Buffer.concat(this.#body);
  }

  /** Null until it has ended. */
  get end(): ExchangeEnd | null {
    return this.#end;
  }

  /** The error that ended it. */
  get error(): Error | null {
    return this.#error;
  }

  /** Ends the exchange; does nothing when it has ended already. */
  finish(end: ExchangeEnd, error: Error | null = null): void {
    if (this.#end !== null) return;
    this.#end = end;
    this.#error = error;
    this.#onEnd();
  }

  onRequestStart(): void {
    this.#started = true;
  }

  onResponseStart(_controller: unknown, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (this.#end !== null) return;
    this.#status = status;
    this.#encoding = String(headers["content-encoding"] ?? "").toLowerCase();
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.#end === null) this.#body.push(chunk);
  }

  onResponseEnd(): void {
    this.finish("complete");
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.finish("broken", error);
  }
}
