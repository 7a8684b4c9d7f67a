import type { Socket } from "node:net";
// Not the whole package, which takes 3 MiB of heap.
import Client from "undici/lib/dispatcher/client.js";
import type { Cancellation } from "../../../platform/network/cancellation.ts";
import { AnswerTap } from "./answer-tap.ts";
import { Exchange } from "./exchange.ts";

/** A request on a connection. */
export interface ConnectionRequest {
  /** Path with query. */
  path: string;
  /** Alternating names and values. */
  headers: string[];
  body: Buffer;
}

/** A finished exchange. */
export interface Exchanged {
  exchange: Exchange;
  /** From the sending of the request to the first received byte, in milliseconds; null when none arrived. */
  firstByteMs: number | null;
  /** From the sending of the request to the end, in milliseconds. */
  totalMs: number;
}

/** The most bytes of an answer in total: interim answers, head, body with its framing, trailers. */
export const MAX_ANSWER_BYTES = 64 * 1_024;
const MAX_HEADER_BYTES = 32 * 1_024;
/** How long a connection stays open while idle; a receiver's Keep-Alive header can shorten it. */
const IDLE_MS = 4_000;
/** How much earlier than the receiver an idle connection is closed here. */
const IDLE_MARGIN_MS = 500;

/**
 * A connection to a checked address, for one request at a time. The HTTP client is given this socket and cannot
 * open another one: it ends with the connection.
 */
export class Connection {
  /** The remote address. */
  readonly address: string;
  readonly #socket: Socket;
  readonly #tap: AnswerTap;
  readonly #client: Client;
  /** By `performance.now()`. */
  readonly #usableUntil: number;
  #whole = true;

  /**
   * @param maxAgeMs the maximum age of a connection that is reused
   * @param onClose called once when the socket has closed, for any reason
   */
  constructor(origin: string, address: string, socket: Socket, maxAgeMs: number, onClose: () => void) {
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
      // Later, so that the client first reports the end of a running request.
      process.nextTick(() => this.close());
    });
  }

  /** Whether it can send another request: it is open and not too old, and the last answer was read to its end. */
  get reusable(): boolean {
    return this.#whole && !this.#socket.destroyed && performance.now() < this.#usableUntil;
  }

  /** Sends a request and waits for its answer, at most `timeoutMs` for head and body together. Never rejects. */
  async send({ path, headers, body }: ConnectionRequest, timeoutMs: number, cancel: Cancellation): Promise<Exchanged> {
    const ended = Promise.withResolvers<void>();
    const exchange = new Exchange(ended.resolve);
    const sentAt = performance.now();
    // When this process was blocked, an answer that arrived in time may still be unread when the timer fires: read it
    // first.
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

  /** Closes the connection at once, also during an exchange. */
  close(): void {
    this.#whole = false;
    this.#socket.destroy();
    if (!this.#client.destroyed) this.#client.destroy(() => {});
  }
}

/** A connector that returns `socket` on its first call and fails on later ones. */
function handOver(socket: Socket): Client.Options["connect"] {
  let given = false;
  return (_options, callback) => {
    const first = !given;
    given = true;
    // Asynchronous, because the client does not expect a callback during the call.
    queueMicrotask(() => (first ? callback(null, socket) : callback(new ConnectionGone(), null)));
  };
}

/** The connection was closed before the request could be sent on it. */
class ConnectionGone extends Error {
  readonly code = "ECONNRESET";
  override readonly message = "the connection is gone";
}
