import type { Readable } from "node:stream";
import { ApiError } from "@portico/protocol";
import { Refusal } from "../errors/refusal.ts";
import { type BodySender, BodyShares } from "./body-shares.ts";
import { bodyTooLarge, RequestAborted } from "./raw-body.ts";

/** What a body takes beside its bytes. */
const OVERHEAD_BYTES = 1_024;
/** By so much room grows at least, so that very small pieces are not copied each for itself. */
const GROWS_BY = 32 * 1024;
const LOOK_EVERY_MS = 1_000;

/** A body in memory, which counts until it is disposed of, once. */
export class BufferedBody implements Disposable {
  readonly bytes: Buffer;
  readonly #release: () => void;

  constructor(bytes: Buffer, release: () => void = () => {}) {
    this.bytes = bytes;
    this.#release = release;
  }

  [Symbol.dispose](): void {
    this.#release();
  }
}

/** A body on its way. */
interface Reception {
  /** `performance.now()` at its beginning. */
  readonly beganAt: number;
  refuse(error: Error): void;
}

/** The body of a call that has none. */
export const NO_BODY = new BufferedBody(Buffer.alloc(0));

/**
 * Receives the ordinary bodies of all calls, and bounds what they hold in memory until their calls are answered: what has
 * arrived counts, not what was announced. Bodies that do not arrive in time are ended.
 */
export class BodiesInFlight {
  readonly #shares: BodyShares;
  readonly #withinMs: number;
  /** In the order of their coming. */
  readonly #receiving = new Set<Reception>();
  readonly #timer: NodeJS.Timeout;

  /**
   * @param mostBytes what all bodies may take together.
   * @param withinMs how long a body may take to arrive.
   */
  constructor({ mostBytes, withinMs }: { mostBytes: number; withinMs: number }) {
    this.#shares = new BodyShares(mostBytes);
    this.#withinMs = withinMs;
    this.#timer = setInterval(() => this.#endDawdlers(), Math.min(LOOK_EVERY_MS, withinMs / 2));
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** What all bodies take now. */
  get bytes(): number {
    return this.#shares.bytes;
  }

  /**
   * Reads the body of `request`.
   *
   * @throws ApiError 413001 as soon as it exceeds `maxBytes`, 429001 when there is no room for it, 400006 when it does not
   *   arrive in time.
   * @throws RequestAborted when the sender goes away.
   */
  read(request: Readable, sender: BodySender, maxBytes: number): Promise<BufferedBody> {
    return new Promise((resolve, reject) => {
      if (request.destroyed) return reject(aborted());
      let buffer: Buffer = Buffer.alloc(0);
      let length = 0;
      const stop = () => {
        request.off("data", onData).off("end", onEnd).off("error", onGone).off("close", onGone);
        this.#receiving.delete(reception);
      };
      const refuse = (error: Error) => {
        stop();
        this.#shares.end(body);
        buffer = Buffer.alloc(0);
        reject(error);
      };
      const onGone = () => refuse(aborted());
      const onData = (chunk: Buffer) => {
        length += chunk.length;
        if (length > maxBytes) return refuse(bodyTooLarge(maxBytes, null));
        const size = sizeFor(length, buffer.length, maxBytes);
        if (!this.#shares.take(body, size - buffer.length)) return refuse(noRoom());
        // What comes in very small pieces is not kept in such. One that comes in one piece, as most do, is not copied.
        if (length === chunk.length) buffer = chunk;
        else buffer = withChunk(buffer, chunk, length, size);
      };
      const onEnd = () => {
        stop();
        this.#shares.complete(body);
        resolve(new BufferedBody(buffer.subarray(0, length), () => this.#shares.end(body)));
      };
      const reception: Reception = { beganAt: performance.now(), refuse };
      this.#receiving.add(reception);
      const body = this.#shares.begin(sender, () => refuse(noRoom()));
      if (!this.#shares.take(body, OVERHEAD_BYTES)) return refuse(noRoom());
      request.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
    });
  }

  #endDawdlers(): void {
    const now = performance.now();
    for (const reception of this.#receiving) {
      if (now - reception.beganAt < this.#withinMs) return;
      reception.refuse(tooSlow(this.#withinMs));
    }
  }
}

/** Room for `length` bytes: what there is, or some more. */
function sizeFor(length: number, size: number, maxBytes: number): number {
  if (length <= size) return size;
  return size === 0 ? length : Math.min(maxBytes, Math.max(length, size + GROWS_BY));
}

/** `buffer` with `chunk` as its last of `length` bytes, in a larger one if it has to be. */
function withChunk(buffer: Buffer, chunk: Buffer, length: number, size: number): Buffer {
  const grown = size > buffer.length ? Buffer.allocUnsafeSlow(size) : buffer;
  if (grown !== buffer) buffer.copy(grown);
  chunk.copy(grown, length - chunk.length);
  return grown;
}

function aborted(): RequestAborted {
  return new RequestAborted("the request was cut off");
}

function noRoom(): ApiError {
  const reason = "the bodies of other calls take all the room there is";
  return new ApiError("BODIES_TOO_MANY", { retryAfterSeconds: 1, reason });
}

function tooSlow(withinMs: number): ApiError {
  const reason = `the body did not arrive within ${withinMs} ms`;
  return new Refusal("BODY_TOO_SLOW", { check: "connection", details: null }, { reason });
}
