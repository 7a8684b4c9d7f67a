import { LRUCache } from "lru-cache";

/** How many may fail at once, and how soon after a failure one more may; in milliseconds. */
interface Rate {
  burst: number;
  refillMs: number;
}

/** Failures of one caller: a hall of people behind one address has some, and somebody who guesses has only these. */
const PER_CALLER: Rate = { burst: 100, refillMs: 2_000 };
/** Failures of all: each has cost 16 ms of a core. */
const OF_ALL: Rate = { burst: 200, refillMs: 200 };
/** Of more callers the ones seen last are known; what others do is still bounded for all. */
const MAX_CALLERS = 10_000;

/**
 * Paid attempts that may be under way: more than may fail of one account, and few enough that those who come next wait for a
 * quarter of a second at most.
 */
const MAX_UNDER_WAY = 16;
/** How soon one of them has ended. */
const SOON_MS = 1_000;

/** What becomes of an attempt that is to be paid for. */
export type Payment =
  /** To be settled once, when the attempt has ended. `crowded` when others were under way already. */
  | { paid: true; crowded: boolean; settle(failed: boolean): void }
  /** There may be something to pay with so much later, in milliseconds. */
  | { paid: false; waitMs: number };

/**
 * What sign-ins of one kind may fail, and how many may be under way: each attempt is paid for, and has it back when it does
 * not fail. In this process alone.
 */
export class SignInBudget {
  readonly #all = new Tokens(OF_ALL);
  readonly #callers = new LRUCache<string, Tokens>({ max: MAX_CALLERS });
  #underWay = 0;

  /** Pays for an attempt of `caller`, whatever becomes of it; `now` is of the monotonic clock, as below. */
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

  /** Has the caller alone pay for an attempt that cost nothing; false when there was nothing left. */
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

/** A bucket of tokens that the clock fills. */
class Tokens {
  readonly #rate: Rate;
  #left: number;
  /** Up to when it has been filled. */
  #at = 0;

  constructor(rate: Rate) {
    this.#rate = rate;
    this.#left = rate.burst;
  }

  /** How long until there is a token; 0 when there is one. */
  waitMs(now: number): number {
    const { burst, refillMs } = this.#rate;
    const filled = Math.floor((now - this.#at) / refillMs);
    this.#left = Math.min(burst, this.#left + filled);
    // A full bucket gains nothing by time.
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
