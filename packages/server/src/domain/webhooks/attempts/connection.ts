import type { TLSSocket } from "node:tls";
import { Client } from "undici";
import { AnswerTap } from "./answer-tap.ts";
import type { Cancellation } from "./cancellation.ts";
import { Exchange } from "./exchange.ts";

/** A request as it goes over a connection. */
export interface ConnectionRequest {
  /** Path with query. */
  path: string;
  /** Names and values in turn. */
  headers: string[];
  body: Buffer;
}

/** An exchange that has ended. */
export interface Exchanged {
  exchange: Exchange;
  /** From the sending of the request to the first byte that came back, in milliseconds; null when none came. */
  firstByteMs: number | null;
  /** From the sending of the request to the end, in milliseconds. */
  totalMs: number;
}

/** Everything that belongs to an answer together: interim answers, head, body with its framing, trailers. */
export const MAX_ANSWER_BYTES = 64 * 1_024;
const MAX_HEADER_BYTES = 32 * 1_024;
/** How long a connection waits for its next request; a receiver's Keep-Alive header can shorten it. */
const IDLE_MS = 4_000;
/** So much earlier than the receiver closes an idle connection it is closed here. */
const IDLE_MARGIN_MS = 500;

/**
 * One TLS connection to a checked address, for one request at a time. The HTTP client is given this socket and cannot
 * open another: when the connection is gone, so is its client.
 */
export class Connection {
  /** The address it goes to. */
  readonly address: string;
  readonly #socket: TLSSocket;
  readonly #tap: AnswerTap;
  readonly #client: Client;
  /** On the clock of `performance.now()`. */
  readonly #usableUntil: number;
  #whole = true;

  /**
   * @param maxAgeMs for how long it is used
   * @param onClose called once when the socket has closed, for whatever reason
   */
  constructor(origin: string, address: string, socket: TLSSocket, maxAgeMs: number, onClose: () => void) {
    this.address = address;
    this.#usableUntil = performance.now() + maxAgeMs;
    this.#socket = socket;
    this.#tap = new AnswerTap(socket, MAX_ANSWER_BYTES);
    this.#client = new Client(origin, {
      connect: handOver(socket),
      pipelining: 1,
      allowH2: false,
      useMilo: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      keepAliveTimeoutThreshold: IDLE_MARGIN_MS,
      // The whole exchange has one deadline, below.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    socket.once("close", () => {
      onClose();
      // The client is to say first what became of a request that was under way.
      process.nextTick(() => this.close());
    });
  }

  /** Whether it can carry a further request: open, not too old, and the last answer was read to its end. */
  get reusable(): boolean {
    return this.#whole && !this.#socket.destroyed && performance.now() < this.#usableUntil;
  }

  /** Sends a request and waits for its answer, at most `timeoutMs` for head and body together. Never fails. */
  async send({ path, headers, body }: ConnectionRequest, timeoutMs: number, cancel: Cancellation): Promise<Exchanged> {
    const ended = Promise.withResolvers<void>();
    const exchange = new Exchange(ended.resolve);
    const sentAt = performance.now();
    // After a stall of this process, an answer that has come in time is still waiting to be read when the timer ends.
    const timer = setTimeout(() => setImmediate(() => exchange.finish("deadline")), timeoutMs);
    this.#tap.expect(() => exchange.finish("too-long"));
    cancel.during(() => exchange.finish("cancelled"));
    this.#client.dispatch({ path, method: "POST", headers, body }, exchange);
    await ended.promise;
    clearTimeout(timer);
    cancel.during(null);
    if (exchange.end !== "complete") this.close();
    const { firstByteAt } = this.#tap;
    const firstByteMs = firstByteAt === null ? null : firstByteAt - sentAt;
    return { exchange, firstByteMs, totalMs: performance.now() - sentAt };
  }

  /** Closes it at once, whatever is under way. */
  close(): void {
    this.#whole = false;
    this.#socket.destroy();
    if (!this.#client.destroyed) this.#client.destroy(() => {});
  }
}

/** A connector that gives its caller `socket`, once. */
function handOver(socket: TLSSocket): Client.Options["connect"] {
  let given = false;
  return (_options, callback) => {
    const first = !given;
    given = true;
    // Not at once: the client does not expect an answer while it asks.
    queueMicrotask(() => (first ? callback(null, socket) : callback(new ConnectionGone(), null)));
  };
}

/** The connection was closed before the request could be sent on it. */
class ConnectionGone extends Error {
  readonly code = "ECONNRESET";
  override readonly message = "the connection is gone";
}
