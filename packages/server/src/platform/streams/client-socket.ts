import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { STREAM_CLOSES, type StreamClose } from "@portico/protocol";
import type { WebSocket } from "ws";
import type { EventLoopTurns } from "../limits/event-loop-turns.ts";
import type { FrameAllowance } from "./frame-allowance.ts";
import { SparseMap } from "./sparse.ts";

/** Above this many buffered bytes, live changes are not sent; the client reads them from the database later. */
const MAX_BUFFERED = 256 * 1024;
/** Below this many buffered bytes the next page is sent. */
const DRAINED = 64 * 1024;
/** Above this many buffered bytes the connection is destroyed. */
const HARD_LIMIT = 4 * 1024 * 1024;
/** The time without progress of a pending write after which the connection is destroyed. */
const STALLED_AFTER_MS = 10_000;
/**
 * The number of sent bytes after which a ping follows. The system buffers megabytes and accepts more only when much of
 * them has been read, so only the pongs show that a slow client is reading.
 */
const PING_EVERY_BYTES = 64 * 1024;
/** The most unanswered pings that are stored. */
const MAX_ASKED = 256;
/** The most pings in a row without an answer. */
const MAX_UNANSWERED = 2;
/** When more is buffered than this, the client is not reading, so its own pings get no pongs. */
const PONGED_BELOW = 64 * 1024;
/** How long a client may take to answer a close frame before its connection is destroyed. */
const CLOSE_WITHIN_MS = 1_000;

/** The WebSocket of one client. All traffic passes through it, so that every buffer and wait is bounded. */
export class ClientSocket {
  readonly #socket: WebSocket;
  readonly #raw: Socket;
  readonly #waiting = new SparseMap<() => void, true>();
  /** The payloads of unanswered pings. They are random, so that only a client that received one can answer it. */
  readonly #asked = new SparseMap<string, true>();
  #sinceAsked = 0;
  #unanswered = 0;
  #refused = false;
  #onHeartbeat = () => {};
  /** The limit on the client's frames; beyond it the stream is closed with 1008. */
  readonly allowance: FrameAllowance;
  readonly #turns: EventLoopTurns;

  /**
   * @param raw the underlying connection.
   * @param turns in which frames are handled, in one order for all streams.
   */
  constructor(socket: WebSocket, raw: Socket, allowance: FrameAllowance, turns: EventLoopTurns) {
    this.#socket = socket;
    this.#raw = raw;
    this.allowance = allowance;
    this.#turns = turns;
    socket.on("ping", (data: Buffer) => {
      if (this.#allowed(data.length) && socket.bufferedAmount <= PONGED_BELOW) socket.pong(data);
    });
    socket.on("pong", (data: Buffer) => {
      if (!this.#asked.delete(data.toString("hex"))) {
        this.#allowed(data.length);
        return;
      }
      this.#unanswered = 0;
      this.#onHeartbeat();
    });
    socket.on("close", this.#wake);
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** Whether the send buffer has room. */
  get takesMore(): boolean {
    return this.#socket.bufferedAmount <= MAX_BUFFERED;
  }

  onClose(listener: () => void): void {
    // Not once(), whose wrapper takes as much memory as the listener: the event comes once anyway.
    this.#socket.on("close", listener);
  }

  /** Sets the `listener` that is called whenever the client has shown that it is alive. It must not throw. */
  set onHeartbeat(listener: () => void) {
    this.#onHeartbeat = listener;
  }

  /**
   * Passes the client's frames to `take`, one at a time, each in its own turn; reading is paused until it is done. It
   * must not reject.
   *
   * @param takeBinary called for a binary frame, which is otherwise taken for a text.
   */
  read(take: (text: string) => Promise<void>, takeBinary?: () => void): void {
    // Frames that arrived together are parsed together, so a few can be queued.
    const frames: string[] = [];
    let taking = false;
    const takeAll = async () => {
      taking = true;
      this.#socket.pause();
      for (let text = frames.shift(); text !== undefined && this.isOpen; text = frames.shift()) {
        await this.#turns.next();
        if (this.isOpen) await take(text);
      }
      if (!this.#refused) this.#socket.resume();
      taking = false;
    };
    this.#socket.on("message", (data: Buffer, isBinary: boolean) => {
      if (!this.#allowed(data.length)) return;
      if (isBinary && takeBinary !== undefined) {
        takeBinary();
        return;
      }
      frames.push(String(data));
      this.#onHeartbeat();
      if (!taking) void takeAll();
    });
  }

  /** Adds the extra cost of a frame; false, and the stream is closed, when the allowance is used up. */
  spend(cost: number): boolean {
    if (this.allowance.tryConsume(cost)) return true;
    this.#refuse();
    return false;
  }

  #allowed(bytes: number): boolean {
    if (!this.isOpen) return false;
    if (this.allowance.tryConsumeFrame(bytes)) return true;
    this.#refuse();
    return false;
  }

  /** Stops reading, because a client that exceeds its allowance keeps sending until the connection is closed. */
  #refuse(): void {
    this.#refused = true;
    this.close(STREAM_CLOSES.TOO_MANY_FRAMES);
    this.#socket.pause();
  }

  send(text: string): void {
    if (!this.isOpen) return;
    if (this.#socket.bufferedAmount > HARD_LIMIT) {
      this.#socket.terminate();
      return;
    }
    this.#socket.send(text, this.#wake);
    this.#sinceAsked += text.length;
    if (this.#sinceAsked >= PING_EVERY_BYTES) this.#ask();
  }

  /** Resolves when the client has read nearly all data; false when it has disconnected or stopped reading. */
  async drained(): Promise<boolean> {
    while (this.isOpen && this.#socket.bufferedAmount > DRAINED) {
      const { promise, resolve } = Promise.withResolvers<void>();
      // The socket's own timer, which every received frame (above all a pong) and progress of a large write reset.
      if (this.#waiting.size === 0) this.#raw.setTimeout(STALLED_AFTER_MS, destroy);
      this.#waiting.set(resolve, true);
      await promise;
    }
    return this.isOpen;
  }

  /** Sends a ping; destroys the connection when the last pings were not answered. */
  beat(): void {
    if (this.#unanswered >= MAX_UNANSWERED) {
      this.#socket.terminate();
    } else if (this.isOpen) {
      this.#unanswered++;
      this.#ask();
    }
  }

  #ask(): void {
    this.#sinceAsked = 0;
    const oldest = this.#asked.first?.[0];
    if (oldest !== undefined && this.#asked.size >= MAX_ASKED) this.#asked.delete(oldest);
    const payload = randomBytes(8);
    this.#asked.set(payload.toString("hex"), true);
    this.#socket.ping(payload);
  }

  close({ code, reason }: StreamClose): void {
    this.#socket.close(code, reason);
    setTimeout(() => this.#socket.terminate(), CLOSE_WITHIN_MS).unref();
  }

  terminate(): void {
    this.#socket.terminate();
  }

  /** Called when data has been read, or the connection has ended. */
  readonly #wake = () => {
    if (this.#waiting.size === 0) return;
    // The ping is queued behind the data; a client that reads the data is alive.
    this.#unanswered = 0;
    this.#raw.setTimeout(0, destroy);
    for (let next = this.#waiting.first; next !== undefined; next = this.#waiting.first) {
      const [resolve] = next;
      this.#waiting.delete(resolve);
      // Whoever waits goes on in a later microtask, and may wait again.
      resolve();
    }
  };
}

function destroy(this: Socket): void {
  this.destroy();
}
