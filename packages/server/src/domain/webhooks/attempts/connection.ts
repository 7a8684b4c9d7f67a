import type { Socket } from "node:net";
import type { Cancellation } from "../../../platform/network/cancellation.ts";
import { HeadReader } from "./answer-head.ts";
import { Exchange } from "./exchange.ts";
import { type ConnectionRequest, requestBytes } from "./request-bytes.ts";

/** A finished exchange. */
export interface Exchanged {
  exchange: Exchange;
  /** From the sending of the request to the first received byte, in milliseconds; null when none arrived. */
  firstByteMs: number | null;
}

/** How long a connection stays open while idle; a receiver's Keep-Alive header can shorten it. */
const IDLE_MS = 4_000;
/** How much earlier than the receiver an idle connection is closed here. */
const IDLE_MARGIN_MS = 500;

/** A connection to a checked address by HTTP/1.1, for one request at a time. It ends with its socket. */
export class Connection {
  /** The remote address. */
  readonly address: string;
  readonly #host: string;
  readonly #socket: Socket;
  readonly #heads = new HeadReader();
  /** By `performance.now()`. */
  readonly #usableUntil: number;
  /** The one in progress. */
  #exchange: Exchange | null = null;
  #error: Error | null = null;
  /** Until when it may be idle, by `performance.now()`. */
  #idleUntil = performance.now() + IDLE_MS;
  #idleTimer: NodeJS.Timeout | undefined;
  #whole = true;

  /**
   * @param maxAgeMs the maximum age of a connection that is reused
   * @param onClose called once when the socket has closed, for any reason
   */
  constructor(origin: string, address: string, socket: Socket, maxAgeMs: number, onClose: () => void) {
    this.address = address;
    this.#host = new URL(origin).host;
    this.#usableUntil = performance.now() + maxAgeMs;
    this.#socket = socket;
    this.#closeWhenIdle(IDLE_MS);
    socket.on("data", (piece: Buffer) => this.#receive(piece));
    socket.on("error", (error) => {
      this.#error = error;
    });
    socket.once("end", () => this.#exchange?.lose(null));
    socket.once("close", () => {
      onClose();
      this.#exchange?.lose(this.#error);
      this.close();
    });
  }

  /** Whether it can send another request: it is open and not too old, and the last answer was read to its end. */
  get reusable(): boolean {
    const now = performance.now();
    return this.#whole && this.#socket.writable && now < this.#usableUntil && now < this.#idleUntil;
  }

  /**
   * Sends a request and waits for its answer, at most `timeoutMs` for head and body together.
   *
   * @throws TypeError for headers that cannot be sent; then nothing was.
   */
  async send(request: ConnectionRequest, timeoutMs: number, cancel: Cancellation): Promise<Exchanged> {
    const pieces = requestBytes(this.#host, request);
    const ended = Promise.withResolvers<void>();
    const exchange = new Exchange(ended.resolve, this.#heads);
    const sentAt = performance.now();
    // When this process was blocked, an answer that arrived in time may still be unread when the timer fires: read it
    // first.
    const timer = setTimeout(() => setImmediate(() => exchange.finish("deadline")), timeoutMs);
    cancel.during(() => exchange.finish("cancelled"));
    this.#begin(exchange, pieces);
    await ended.promise;
    clearTimeout(timer);
    cancel.during(null);
    this.#finish(exchange);
    const { firstByteAt } = exchange;
    return { exchange, firstByteMs: firstByteAt === null ? null : firstByteAt - sentAt };
  }

  /** Closes the connection at once, also during an exchange. */
  close(): void {
    this.#whole = false;
    clearTimeout(this.#idleTimer);
    this.#socket.destroy();
  }

  #begin(exchange: Exchange, pieces: readonly Buffer[]): void {
    this.#exchange = exchange;
    this.#idleUntil = Number.POSITIVE_INFINITY;
    if (!this.#whole || !this.#socket.writable) {
      exchange.lose(this.#error);
      return;
    }
    exchange.started = true;
    this.#socket.cork();
    for (const piece of pieces) this.#socket.write(piece);
    this.#socket.uncork();
  }

  #finish(exchange: Exchange): void {
    this.#exchange = null;
    const idleMs = Math.min(exchange.keptForMs - IDLE_MARGIN_MS, IDLE_MS);
    // A receiver that answers before it has read all of the request may take the rest for the next one.
    if (idleMs <= 0 || this.#socket.writableLength > 0) {
      this.close();
      return;
    }
    this.#idleUntil = performance.now() + idleMs;
    if (idleMs < IDLE_MS) this.#closeWhenIdle(idleMs);
  }

  /** One timer for many requests: it finds out whether the connection has been used meanwhile. */
  #closeWhenIdle(ms: number): void {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => {
      const leftMs = this.#idleUntil - performance.now();
      if (leftMs <= 0) this.close();
      else this.#closeWhenIdle(Math.min(leftMs, IDLE_MS));
    }, ms);
    this.#idleTimer.unref();
  }

  #receive(piece: Buffer): void {
    // Nobody has asked for it.
    if (this.#exchange === null || this.#exchange.end !== null) this.close();
    else this.#exchange.receive(piece);
  }
}
