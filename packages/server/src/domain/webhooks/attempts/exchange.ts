import type { Dispatcher } from "undici";

/** How an exchange ended: with the whole answer, or in one of the ways in which it can be cut short. */
export type ExchangeEnd = "complete" | "deadline" | "too-long" | "cancelled" | "broken";

/**
 * One request and its answer on one connection: what the HTTP client reports, brought together. Once it has ended,
 * nothing changes any more.
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

  /** Whether any of the request may have been sent. */
  get started(): boolean {
    return this.#started;
  }

  /** The status of the answer; null when its head has not come whole. */
  get status(): number | null {
    return this.#status;
  }

  /** The answer's Content-Encoding, in lower case. */
  get encoding(): string {
    return this.#encoding;
  }

  /** What has come of the answer's body, as it was transferred; the connection bounds it. */
  get body(): Buffer {
    return Buffer.concat(this.#body);
  }

  /** Null until it has ended. */
  get end(): ExchangeEnd | null {
    return this.#end;
  }

  /** With what it broke. */
  get error(): Error | null {
    return this.#error;
  }

  /** Ends it, unless it has ended. */
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
