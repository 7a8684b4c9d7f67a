import { growingLru } from "../../platform/limits/growing-lru.ts";

/** A token bucket: how many failures at once, and how many milliseconds until one more is allowed. */
interface Rate {
  burst: number;
  refillMs: number;
}

/** Failures per caller: many people behind one address make some, and one guesser has no more than these. */
const PER_CALLER: Rate = { burst: 100, refillMs: 2_000 };
/** Failures of all callers together: each has cost 16 ms of CPU time. */
const OF_ALL: Rate = { burst: 200, refillMs: 200 };
/** The most callers remembered, by last use. The global budget still bounds the others. */
const MAX_CALLERS = 10_000;

/**
 * Paid attempts that may be in progress at a time: more than one account may fail, and few enough that the next one
 * waits at most a quarter of a second.
 */
const MAX_UNDER_WAY = 16;
/** By when one of them has ended, in milliseconds. */
const SOON_MS = 1_000;

/** The result of paying for an attempt. */
export type Payment =
  /** Call `settle` once, when the attempt has ended. `crowded` means that other attempts were in progress already. */
  | { paid: true; crowded: boolean; settle(failed: boolean): void }
  /** The budget may allow an attempt after this many milliseconds. */
  | { paid: false; waitMs: number };

/**
 * The budget of failed sign-ins of one kind, and the limit on concurrent ones. Each attempt is paid for in advance and
 * refunded unless it fails. Counts this process only.
 */
export class SignInBudget {
  readonly #all = new Tokens(OF_ALL);
  readonly #callers = growingLru<Tokens>(MAX_CALLERS);
  #underWay = 0;

  /** Pays for an attempt of `caller`. `now` is monotonic milliseconds, also in the methods below. */
  pay(caller: string, now: number): Payment {
    const own = this.#tokensOf(caller);
    const crowdMs = this.#underWay < MAX_UNDER_WAY ? 0 : SOON_MS;
    const waitMs = Math.max(own.waitMs(now), this.#all.waitMs(now), crowdMs);
    if (waitMs > 0) return { paid: false, waitMs };
    const crowded = this.#underWay++ > 0;
    own.take();
    this.#all.take();
    return {
      paid: true,
      crowded,
      settle: (failed) => {
        this.#underWay--;
        if (failed) return;
        own.giveBack();
        this.#all.giveBack();
      },
    };
  }

  /** Charges the caller alone for an attempt that cost no hashing; false when the budget is empty. */
  fine(caller: string, now: number): boolean {
    const own = this.#tokensOf(caller);
    if (own.waitMs(now) > 0) return false;
    own.take();
    return true;
  }

  #tokensOf(caller: string): Tokens {
    const known = this.#callers.get(caller);
    if (known !== undefined) return known;
    const full = new Tokens(PER_CALLER);
    this.#callers.set(caller, full);
    return full;
  }
}

/** A token bucket that refills over time. */
class Tokens {
  readonly #rate: Rate;
  #left: number;
  /** Time up to which the bucket has been refilled. */
  #at = 0;

  constructor(rate: Rate) {
    this.#rate = rate;
    this.#left = rate.burst;
  }

  /** Milliseconds until there is a token; 0 when there is one. */
  waitMs(now: number): number {
    const { burst, refillMs } = this.#rate;
    const filled = Math.floor((now - this.#at) / refillMs);
    this.#left = Math.min(burst, this.#left + filled);
    // A full bucket gains no tokens.
    this.#at = this.#left === burst ? now : this.#at + filled * refillMs;
    return this.#left > 0 ? 0 : this.#at + refillMs - now;
  }

  take(): void {
    this.#left--;
  }

  giveBack(): void {
    this.#left = Math.min(this.#rate.burst, this.#left + 1);
  }
}
