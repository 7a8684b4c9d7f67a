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
 * Reads on, within bounds, what is left of bodies that nobody wants any more, and forgets it: closing a connection on unread
 * data would make the system drop the answer before its reader sees it (RFC 9112, section 9.6). A short rest is read at once.
 * Longer ones take turns, at a rate that is bounded for all together, or whoever sends what is refused would keep the process
 * reading. In the meantime a body waits in the buffers of the system, not in memory of the process.
 */
export class UnreadBodies {
  readonly #begun = new WeakSet<IncomingMessage>();
  /** Connections whose bodies wait for a turn, those that have waited longest first. */
  readonly #waiting = new Set<Socket>();
  readonly #timer: NodeJS.Timeout;

  constructor() {
    this.#timer = setInterval(() => this.#takeTurns(), TURNS_EVERY_MS);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Does nothing when the whole body has been read. */
  discard(request: IncomingMessage): void {
    if (request.readableEnded || this.#begun.has(request)) return;
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
        // Not the request, which would keep what has been read; and not at once, for it is about to ask for more.
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
