import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** The most bytes of a refused body that are read and discarded, so that its sender receives the answer. */
const MAX_DISCARDED_BYTES = 32 * 1024 * 1024;
const MAX_DISCARDING_MS = 10_000;

/** The bytes of one body that are read at once. */
const TURN_BYTES = 64 * 1024;
/** Bodies read per interval: 64 MiB/s in total, a small part of what a core can read. */
const TURNS_AT_ONCE = 16;
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
 * process busy. Waiting bodies stay in the buffers of the system, not in the memory of the process, and what is read is
 * freed before more is read.
 */
export class UnreadBodies {
  /** What has begun, each with the timer of its end. */
  readonly #begun = new WeakMap<IncomingMessage, NodeJS.Timeout>();
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

  /**
   * Does nothing when the whole body has been read, or there is none: then Node ends the request with its answer. Called
   * again, such as when the answer is sent, it gives the rest its full time.
   *
   * @returns whether a long rest is still to come, so that the answer should be the last of its connection.
   */
  discard(request: IncomingMessage): boolean {
    if (request.readableEnded || !announcesBody(request)) return false;
    const begun = this.#begun.get(request);
    if (begun !== undefined) {
      begun.refresh();
      return !request.complete && isLong(request);
    }
    // All of it has been read, and only its end is left.
    if (request.complete && request.readableLength === 0) {
      request.resume();
      return false;
    }
    const { socket } = request;
    let [discarded, ofTurn] = [0, 0];
    const timer = setTimeout(() => request.destroy(), MAX_DISCARDING_MS);
    timer.unref();
    this.#begun.set(request, timer);
    // Where Node closes the connection after its last answer, it waits for the rest.
    socket.destroySoon = () => {
      socket.end();
      request.once("end", () => socket.destroySoon());
    };
    const stop = () => {
      Reflect.deleteProperty(socket, "destroySoon");
      clearTimeout(timer);
      if (this.#waiting.delete(socket)) socket.resume();
    };
    request.on("data", (piece: Buffer) => {
      discarded += piece.length;
      ofTurn += piece.length;
      letGo(piece);
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
    return !request.complete && isLong(request);
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

/**
 * Frees a piece that nobody needs, so that the next one takes its place: a crowd of refused callers brings gigabytes in a
 * moment, in which no garbage is collected. A piece that shares its memory is left to the collector.
 */
function letGo({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/** Whether a request announces a body (RFC 9112, section 6.3). */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return "transfer-encoding" in headers || (headers["content-length"] ?? "0") !== "0";
}

/** Whether a request may have a body that does not arrive with its head. */
function isLong({ headers }: IncomingMessage): boolean {
  return "transfer-encoding" in headers || Number(headers["content-length"]) > TURN_BYTES;
}

/** Registers the reader of unread bodies on a server: of all that is left when an answer is sent. */
export function readUnreadBodies(server: FastifyInstance): void {
  const unreadBodies = new UnreadBodies();
  server.decorate("unreadBodies", unreadBodies);
  server.addHook("onSend", ({ raw }, reply, _payload, done) => {
    if (unreadBodies.discard(raw)) reply.header("connection", "close");
    done();
  });
  server.addHook("onClose", () => unreadBodies.close());
}

/** Reads and discards the rest of the body of `request`, whose answer comes later. */
export function discardBody({ server, raw }: FastifyRequest): void {
  server.unreadBodies.discard(raw);
}
