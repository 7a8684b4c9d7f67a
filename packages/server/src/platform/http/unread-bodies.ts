import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** The most bytes of a refused body that are read and discarded, so that its sender receives the answer. */
const MAX_DISCARDED_BYTES = 32 * 1024 * 1024;
const MAX_DISCARDING_MS = 10_000;

/** The bytes of one body that are read at once. */
const TURN_BYTES = 64 * 1024;
/** Bodies read per interval: 16 MiB/s in total, a small part of what a core can read. */
const TURNS_AT_ONCE = 4;
const TURNS_EVERY_MS = 16;

declare module "fastify" {
  interface FastifyInstance {
    unreadBodies: UnreadBodies;
  }
}

/**
 * Reads and discards the rest of bodies that are not needed any more, within limits: closing a connection with unread
 * data could make the system drop the answer (RFC 9112, section 9.6). A short rest is read at once. Longer ones are
 * read in turns, at a rate that is limited for all together; otherwise a sender of refused bodies could keep the
 * process busy. Waiting bodies stay in the buffers of the system, not in the memory of the process.
 */
export class UnreadBodies {
  readonly #begun = new WeakSet<IncomingMessage>();
  /** Connections whose bodies wait for a turn, in order of waiting. */
  readonly #waiting = new Set<Socket>();
  readonly #timer: NodeJS.Timeout;

  constructor() {
    this.#timer = setInterval(() => this.#takeTurns(), TURNS_EVERY_MS);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Does nothing when the whole body has been read, or there is none: then Node ends the request with its answer. */
  discard(request: IncomingMessage): void {
    if (request.readableEnded || !hasBody(request) || this.#begun.has(request)) return;
    // All of it has been read, and only its end is left.
    if (request.complete && request.readableLength === 0) return void request.resume();
    this.#begun.add(request);
    const { socket } = request;
    let [discarded, ofTurn] = [0, 0];
    const timer = setTimeout(() => request.destroy(), MAX_DISCARDING_MS);
    timer.unref();
    const stop = () => {
      clearTimeout(timer);
      if (this.#waiting.delete(socket)) socket.resume();
    };
    request.on("data", ({ length }: Buffer) => {
      discarded += length;
      ofTurn += length;
      if (discarded > MAX_DISCARDED_BYTES) request.destroy();
      else if (ofTurn >= TURN_BYTES) {
        ofTurn = 0;
        this.#waiting.add(socket);
        // Closes over the socket only, because the request would keep the data that was read. Asynchronous, because the
        // request is about to read more.
        queueMicrotask(() => {
          if (this.#waiting.has(socket)) socket.pause();
        });
      }
    });
    request.once("close", stop);
    request.once("end", stop);
    request.on("error", () => {});
    request.resume();
  }

  #takeTurns(): void {
    let turns = 0;
    for (const socket of this.#waiting) {
      if (turns++ === TURNS_AT_ONCE) return;
      this.#waiting.delete(socket);
      socket.resume();
    }
  }
}

/** Whether a request announces a body (RFC 9112, section 6.3). */
function hasBody({ headers }: IncomingMessage): boolean {
  return "transfer-encoding" in headers || (headers["content-length"] ?? "0") !== "0";
}

/** Registers the reader of unread bodies on a server. */
export function readUnreadBodies(server: FastifyInstance): void {
  const unreadBodies = new UnreadBodies();
  server.decorate("unreadBodies", unreadBodies);
  server.addHook("onClose", () => unreadBodies.close());
}

/** Reads and discards the rest of the body of `request`. */
export function discardBody({ server, raw }: FastifyRequest): void {
  server.unreadBodies.discard(raw);
}
