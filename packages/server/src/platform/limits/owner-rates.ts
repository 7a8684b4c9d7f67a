import { setTimeout } from "node:timers/promises";
import { ApiError } from "@portico/protocol";
import type { Config } from "../config/config.ts";
import { Allowances } from "./allowances.ts";
import type { Owner } from "./owner.ts";

/** So much of a second's bytes an owner may bring at once before they are held back. */
const FREE_MS = 250;
/** What an owner has brought too fast is remembered for so long: nobody is held back for longer. */
const LONGEST_REST_MS = 10_000;
/** A message that would wait for longer is refused: its sender has a better use for the time. */
const LONGEST_WAIT_MS = 5_000;

type Limits = Pick<Config["limits"], "appBytesPerSecond" | "memberBytesPerSecond" | "visitorBytesPerSecond">;

/**
 * How fast each owner may bring what is to be stored, in each process. Whoever is faster is not refused but read more slowly:
 * what they send waits in their own buffers, and costs neither memory nor time of the process. All uploads and messages of an owner
 * share one rate.
 */
export class OwnerRates {
  readonly #now: () => number;
  readonly #rates: Record<Owner["type"], Allowances>;

  /** @param now milliseconds of a clock that nobody sets: what is held back is real time. */
  constructor(limits: Limits, now: () => number = () => performance.now()) {
    this.#now = now;
    const rate = (perSecond: number) => new Allowances((perSecond * LONGEST_REST_MS) / 1_000, LONGEST_REST_MS);
    this.#rates = {
      APP: rate(limits.appBytesPerSecond),
      MEMBER: rate(limits.memberBytesPerSecond),
      VISITOR: rate(limits.visitorBytesPerSecond),
    };
  }

  /** Counts bytes that the owner has brought. How long no more of theirs is to be read, in milliseconds; 0 for not at all. */
  brought({ type, id }: Owner, bytes: number): number {
    const rate = this.#rates[type];
    const now = this.#now();
    rate.take(id, bytes, now);
    return restOf(rate, id, now);
  }

  /**
   * Counts a message that announces so many bytes, and waits until it may be read.
   *
   * @throws ApiError 429001 when that would take longer than 5 s.
   */
  async enter({ type, id }: Owner, bytes: number): Promise<void> {
    const rate = this.#rates[type];
    const now = this.#now();
    const rest = restOf(rate, id, now);
    if (rest > LONGEST_WAIT_MS) {
      throw new ApiError("MESSAGES_TOO_FREQUENT", { retryAfterSeconds: Math.ceil(rest / 1_000) });
    }
    rate.take(id, bytes, now);
    if (rest > 0) await setTimeout(rest);
  }
}

/** How long it takes until the owner is no more than {@link FREE_MS} ahead. */
function restOf(rate: Allowances, id: string, now: number): number {
  return Math.max(0, Math.ceil((rate.used(id, now) / rate.amount) * LONGEST_REST_MS - FREE_MS));
}
