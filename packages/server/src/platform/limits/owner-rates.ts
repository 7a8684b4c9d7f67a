import type { Readable } from "node:stream";
import { ApiError } from "@portico/protocol";
import type { Config } from "../config/config.ts";
import { RequestAborted } from "../http/raw-body.ts";
import { Allowances } from "./allowances.ts";
import type { Owner } from "./owner.ts";

/** The burst that an owner may send without delay, in milliseconds of its rate. */
const FREE_MS = 250;
/** The longest delay in milliseconds that an owner can accumulate. */
const LONGEST_REST_MS = 10_000;
/** A message that would wait longer (in milliseconds) is refused. */
const LONGEST_WAIT_MS = 5_000;

type Limits = Pick<Config["limits"], "appBytesPerSecond" | "memberBytesPerSecond" | "visitorBytesPerSecond">;

/**
 * Limits the rate in bytes at which each owner sends what is to be stored, in each process. A faster sender is not
 * refused but read more slowly (backpressure), so its data waits in its own buffers. All uploads and messages of an
 * owner share one rate.
 */
export class OwnerRates {
  readonly #now: () => number;
  readonly #rates: Record<Owner["type"], Allowances>;

  /** @param now monotonic milliseconds, because real transfers are delayed. */
  constructor(limits: Limits, now: () => number = () => performance.now()) {
    this.#now = now;
    const rate = (perSecond: number) => new Allowances((perSecond * LONGEST_REST_MS) / 1_000, LONGEST_REST_MS);
    this.#rates = {
      APP: rate(limits.appBytesPerSecond),
      MEMBER: rate(limits.memberBytesPerSecond),
      VISITOR: rate(limits.visitorBytesPerSecond),
    };
  }

  /**
   * Counts received bytes of the owner. Returns the time in milliseconds to wait before reading more; 0 for no wait.
   */
  brought({ type, id }: Owner, bytes: number): number {
    const rate = this.#rates[type];
    const now = this.#now();
    rate.take(id, bytes, now);
    return restOf(rate, id, now);
  }

  /**
   * Counts a message with an announced length, and waits until it may be read.
   *
   * @throws ApiError 429001 when that would take longer than 5 s; RequestAborted when its sender disconnects.
   */
  async enter({ type, id }: Owner, bytes: number, request: Readable): Promise<void> {
    const rate = this.#rates[type];
    const now = this.#now();
    const rest = restOf(rate, id, now);
    if (rest > LONGEST_WAIT_MS) {
      throw new ApiError("MESSAGES_TOO_FREQUENT", { retryAfterSeconds: Math.ceil(rest / 1_000) });
    }
    rate.take(id, bytes, now);
    if (rest > 0) await pass(rest, request);
  }
}

/** Resolves after so many milliseconds, and rejects when the sender of `request` disconnects first. */
function pass(ms: number, request: Readable): Promise<void> {
  return new Promise((resolve, reject) => {
    const onGone = () => {
      clearTimeout(timer);
      reject(new RequestAborted("the request was cut off"));
    };
    const timer = setTimeout(() => {
      request.off("close", onGone);
      resolve();
    }, ms);
    if (request.destroyed) onGone();
    else request.once("close", onGone);
  });
}

/** The time until the owner is at most {@link FREE_MS} ahead of its rate. */
function restOf(rate: Allowances, id: string, now: number): number {
  return Math.max(0, Math.ceil((rate.used(id, now) / rate.amount) * LONGEST_REST_MS - FREE_MS));
}
