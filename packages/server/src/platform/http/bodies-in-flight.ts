import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { ApiError } from "@portico/protocol";
import { Refusal } from "../errors/refusal.ts";
import { BodyPieces } from "./body-pieces.ts";
import { type BodySender, BodyShares } from "./body-shares.ts";
import { BufferedBody, NO_BODY } from "./buffered-body.ts";
import { HeavyJson } from "./heavy-json.ts";
import { bodyTooLarge, RequestAborted } from "./raw-body.ts";

/** Memory overhead of a body in bytes. */
const OVERHEAD_BYTES = 1_024;
const LOOK_EVERY_MS = 1_000;
/** What is in memory of a body that nobody reads yet: what its connection has delivered at once. */
const READ_AHEAD_BYTES = 64 * 1024;
/** Shorter bodies are not counted while their callers are unknown: there are no more of them than connections. */
const SHORT_BYTES = 4 * 1024;

/** The share of callers who are not known yet. */
const UNKNOWN = "unknown";

/** A request as far as its body is concerned. */
type BodySource = Readable & Partial<Pick<IncomingMessage, "complete" | "headers">>;

/** A body in transfer. */
interface Reception {
  /** `performance.now()` when it began. */
  readonly beganAt: number;
  refuse(error: Error): void;
}

/**
 * Receives request bodies and limits the memory they take until their calls are answered. Received bytes count, not the
 * announced length. Bodies that do not arrive in time are refused.
 */
export class BodiesInFlight {
  readonly #shares: BodyShares;
  readonly #withinMs: number;
  /** In order of arrival. */
  readonly #receiving = new Set<Reception>();
  readonly #timer: NodeJS.Timeout;
  readonly #heavyJson = new HeavyJson(threadMs);

  /**
   * @param mostBytes the memory limit for all bodies.
   * @param withinMs the time in which a body must arrive.
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

  /** The memory of all bodies. */
  get bytes(): number {
    return this.#shares.bytes;
  }

  /**
   * Runs `work`, which has to be done before the body of `request` may be read, such as finding out who its caller is. Meanwhile
   * the beginning of a long body counts among those of unknown callers: a crowd of strangers may have to wait.
   *
   * @throws ApiError 429001 when there is no memory for it; the result of `work` is then lost.
   */
  beforeRead<T>(request: IncomingMessage, address: string, work: () => T | Promise<T>): T | Promise<T> {
    const bytes = Math.min(READ_AHEAD_BYTES, leastLength(request));
    return bytes <= SHORT_BYTES ? work() : this.#whileUnread(bytes, address, work);
  }

  async #whileUnread<T>(bytes: number, address: string, work: () => T | Promise<T>): Promise<T> {
    const { promise: gaveWay, reject } = Promise.withResolvers<never>();
    gaveWay.catch(() => {});
    const end = () => {
      if (!body.hasEnded) this.#shares.end(body);
    };
    const body = this.#shares.begin({ caller: UNKNOWN, address }, () => {
      end();
      reject(noRoom());
    });
    try {
      if (!this.#shares.reserve(body, OVERHEAD_BYTES + bytes)) throw noRoom();
      return await Promise.race([work(), gaveWay]);
    } finally {
      end();
    }
  }

  /**
   * Reads the body of `request`.
   *
   * @throws ApiError 413001 as soon as it exceeds `maxBytes`, 429001 when there is no memory for it, 400006 when it
   * does not arrive in time.
   * @throws RequestAborted when the sender disconnects.
   */
  async read(request: BodySource, sender: BodySender, maxBytes: number): Promise<BufferedBody> {
    // The parser delivers a small body together with the head, but only after the handlers of the head have returned; its
    // end only after what they have begun.
    await null;
    const { destroyed, readableLength } = request;
    if (destroyed) throw aborted();
    return hasArrived(request) && readableLength <= maxBytes
      ? this.#takeArrived(request, sender)
      : await this.#receive(request, sender, maxBytes);
  }

  /** Reads the body of a request whose sender is known, which is JSON: {@link read} and {@link parseHeavy}. */
  async readJson(request: IncomingMessage, sender: BodySender, maxBytes: number): Promise<BufferedBody> {
    const body = await this.read(request, sender, maxBytes);
    try {
      await this.parseHeavy(body, sender.caller, request);
      return body;
    } catch (error) {
      body[Symbol.dispose]();
      throw error;
    }
  }

  /**
   * Parses a body whose JSON takes long, when it is its turn, before it is needed; see {@link HeavyJson.parse}. Call it
   * when it is known that `caller` has sent the body.
   */
  parseHeavy(body: BufferedBody, caller: string, request: IncomingMessage): Promise<void> | null {
    return this.#heavyJson.parse(body, caller, request);
  }

  /** A body that has arrived completely, as most do: without listeners, and without a place among those in transfer. */
  #takeArrived(request: BodySource, sender: BodySender): BufferedBody {
    const body = this.#shares.hold(sender, OVERHEAD_BYTES + request.readableLength);
    if (body === null) throw noRoom();
    const bytes: Buffer | null = request.read();
    return new BufferedBody(bytes ?? NO_BODY.bytes, () => {
      this.#shares.end(body);
      // Reading at its end ends the request, which lets go of what its connection keeps of it.
      if (!request.readableEnded) request.read();
    });
  }

  #receive(request: BodySource, sender: BodySender, maxBytes: number): Promise<BufferedBody> {
    return new Promise((resolve, reject) => {
      let pieces = new BodyPieces();
      const stop = () => {
        request.off("data", onData).off("end", onEnd).off("error", onGone).off("close", onGone);
        this.#receiving.delete(reception);
      };
      const refuse = (error: Error) => {
        stop();
        this.#shares.end(body);
        pieces = new BodyPieces();
        reject(error);
      };
      const onGone = () => refuse(aborted());
      const onData = (chunk: Buffer) => {
        if (pieces.length + chunk.length > maxBytes) return refuse(bodyTooLarge(maxBytes, null));
        if (!this.#shares.reserve(body, pieces.cost(chunk))) return refuse(noRoom());
        pieces.add(chunk);
      };
      const onEnd = () => {
        stop();
        this.#shares.complete(body);
        resolve(new BufferedBody(pieces.join(), () => this.#shares.end(body)));
      };
      const reception: Reception = { beganAt: performance.now(), refuse };
      this.#receiving.add(reception);
      const body = this.#shares.begin(sender, () => refuse(noRoom()));
      if (!this.#shares.reserve(body, OVERHEAD_BYTES)) return refuse(noRoom());
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

/** Whether the whole body is there to be read, though perhaps not the end of its request. */
function hasArrived({ complete, headers, readableLength }: BodySource): boolean {
  if (complete === true) return true;
  // A body without a length, or with an encoding, ends where the parser says.
  const announced = headers?.["transfer-encoding"] === undefined ? headers?.["content-length"] : undefined;
  return announced !== undefined && readableLength > 0 && Number(announced) === readableLength;
}

/** The length of a body in bytes as far as its head tells; endless if it does not. */
function leastLength({ headers }: IncomingMessage): number {
  if (headers["transfer-encoding"] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(headers["content-length"] ?? 0);
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
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
