import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { STREAM_CLOSES, type StreamClose } from "@portico/protocol";
import { WebSocket } from "ws";
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
/** The connection is closed after this time even if frames that came before are still being dealt with. */
const DEALT_WITH_WITHIN_MS = 4_000;

/** Deals with the frames of a client. Nothing of it may reject. */
export interface FrameReader {
  take(text: string): Promise<void>;
  /** A binary frame, which is otherwise taken for a text. */
  takeBinary?(): void;
  /** Resolves when everything that was taken has had its effects; otherwise that is so as soon as it was taken. */
  settled?(): Promise<void>;
}

/**
 * The WebSocket of one client. All traffic passes through it, so that every buffer and wait is bounded.
 *
 * It is open, then ending, then closed. Ending begins with a close frame of the client, by {@link finish} or {@link close}, or
 * when the connection breaks: nothing more is sent, and no frame is taken that comes later. Frames that came before are dealt
 * with in any case but {@link close}; only then is the close frame sent, and only then do the listeners of
 * {@link onClose} learn of the end.
 */
export class ClientSocket {
  readonly #socket: WebSocket;
  readonly #raw: Socket;
  readonly #waiting = new SparseMap<() => void, true>();
  /** The payloads of unanswered pings. They are random, so that only a client that received one can answer it. */
  readonly #asked = new SparseMap<string, true>();
  #sinceAsked = 0;
  #unanswered = 0;
  /** Frames that wait for their turn. What arrives together is parsed together, so they can be several. */
  readonly #frames: string[] = [];
  /** Present while frames are dealt with. */
  #dealing: Promise<void> | null = null;
  #reader: FrameReader | null = null;
  /** Resolves when the close frame is sent; null before the end has begun. */
  #ending: Promise<void> | null = null;
  #isRefused = false;
  readonly #closeListeners: (() => void)[] = [];
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
      if (this.#isAllowed(data.length) && this.isOpen && socket.bufferedAmount <= PONGED_BELOW) socket.pong(data);
    });
    socket.on("pong", (data: Buffer) => {
      if (!this.#asked.delete(data.toString("hex"))) {
        this.#isAllowed(data.length);
        return;
      }
      this.#unanswered = 0;
      this.#onHeartbeat();
    });
    // ws calls this to answer a close frame, or what is no frame at all, as soon as it has parsed it; when both sides have
    // sent one, it ends the TCP connection.
    socket.close = (code, reason) => {
      const answer = () => closeNow(socket, code, reason);
      if (this.#ending === null) void this.#end(answer);
      else void this.#ending.then(answer);
    };
    // Of what is no frame: the client may not end the connection after the answer.
    socket.on("error", () => this.#terminateWithin(DEALT_WITH_WITHIN_MS));
    socket.on("close", () => this.#closed());
  }

  /** Whether frames are sent and taken. */
  get isOpen(): boolean {
    return this.#ending === null && this.#socket.readyState === this.#socket.OPEN;
  }

  /** Whether frames of the client wait for their turn. */
  get hasFrames(): boolean {
    return this.#frames.length > 0;
  }

  /** Whether the send buffer has room. */
  get takesMore(): boolean {
    return this.#socket.bufferedAmount <= MAX_BUFFERED;
  }

  /** Calls the listener once, when the connection has ended and all that came before is dealt with. */
  onClose(listener: () => void): void {
    this.#closeListeners.push(listener);
  }

  /** Sets the `listener` that is called whenever the client has shown that it is alive. It must not throw. */
  set onHeartbeat(listener: () => void) {
    this.#onHeartbeat = listener;
  }

  /** Passes the client's frames to the reader, one at a time, each in its own turn; no more is read until it is done. */
  read(reader: FrameReader): void {
    this.#reader = reader;
    this.#socket.on("message", (data: Buffer, isBinary: boolean) => {
      if (!this.#isAllowed(data.length)) return;
      if (isBinary && reader.takeBinary !== undefined) {
        reader.takeBinary();
        return;
      }
      this.#frames.push(String(data));
      this.#onHeartbeat();
      this.#dealing ??= this.#dealWithFrames(reader);
    });
  }

  async #dealWithFrames({ take }: FrameReader): Promise<void> {
    this.#socket.pause();
    while (this.#frames.length > 0) {
      await this.#turns.next();
      const text = this.#frames.shift();
      if (text !== undefined) await take(text);
    }
    if (!this.#isRefused) this.#socket.resume();
    this.#dealing = null;
  }

  /** Adds the extra cost of a frame; false, and the stream is closed, when the allowance is used up. */
  spend(cost: number): boolean {
    if (this.allowance.tryConsume(cost)) return true;
    this.#refuse();
    return false;
  }

  /** Whether a frame is to be dealt with; when the allowance is used up, the stream is closed. */
  #isAllowed(bytes: number): boolean {
    if (this.#ending !== null) return false;
    if (this.allowance.tryConsumeFrame(bytes)) return true;
    this.#refuse();
    return false;
  }

  /** Stops reading, because a client that exceeds its allowance keeps sending until the connection is closed. */
  #refuse(): void {
    this.#isRefused = true;
    void this.finish(STREAM_CLOSES.TOO_MANY_FRAMES);
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

  /** Closes the connection once all that has come is dealt with; resolves then. */
  finish(why: StreamClose): Promise<void> {
    return this.#end(() => this.#closeNow(why));
  }

  /** Closes the connection at once; what has come and is not dealt with is dropped. */
  close(why: StreamClose): void {
    this.#ending ??= Promise.resolve();
    this.#frames.length = 0;
    this.#closeNow(why);
    this.#wake();
  }

  #end(answer: () => void): Promise<void> {
    this.#ending ??= this.#answerLast(answer);
    return this.#ending;
  }

  async #answerLast(answer: () => void): Promise<void> {
    // Nothing is sent any more, so no frame waits until the client has read.
    this.#wake();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, DEALT_WITH_WITHIN_MS).unref();
    });
    await Promise.race([this.#dealtWith(), late]);
    clearTimeout(timer);
    answer();
  }

  async #dealtWith(): Promise<void> {
    await this.#dealing;
    await this.#reader?.settled?.();
  }

  #closeNow({ code, reason }: StreamClose): void {
    closeNow(this.#socket, code, reason);
    this.#terminateWithin(CLOSE_WITHIN_MS);
  }

  #terminateWithin(ms: number): void {
    setTimeout(() => this.#socket.terminate(), ms).unref();
  }

  terminate(): void {
    this.#socket.terminate();
  }

  /** The TCP connection has ended. */
  #closed(): void {
    this.#ending ??= Promise.resolve();
    this.#wake();
    const tell = () => {
      for (const listener of this.#closeListeners) listener();
    };
    if (this.#dealing === null) tell();
    else void this.#dealing.then(tell);
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

function closeNow(socket: WebSocket, code?: number, reason?: string | Buffer): void {
  WebSocket.prototype.close.call(socket, code, reason);
}

function destroy(this: Socket): void {
  this.destroy();
}
