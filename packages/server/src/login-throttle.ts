import { ApiError } from "@portico/protocol";
import { LRUCache } from "lru-cache";

const WINDOW_MS = 600_000;
const MAX_FAILURES = 10;
const MAX_ACCOUNTS = 10_000;
/** Attempts of one account that wait for others of it to end. */
const MAX_WAITING = 100;

interface Account {
  /** When the attempts began that have failed within the window, as far as it has been looked at. */
  failures: number[];
  /** Attempts under way. */
  running: number;
  /** Let those look again who wait for an attempt under way to end. */
  waiting: (() => void)[];
}

/**
 * Slows the guessing of passwords: an account that has failed ten times in ten minutes is refused until the failures
 * have aged. An attempt under way takes the place of a failure until it is known not to be one, so that many at once gain
 * nothing; who finds no place waits for it to be known, so that many who know the password are not refused.
 */
export class LoginThrottle {
  readonly #accounts = new LRUCache<string, Account>({ max: MAX_ACCOUNTS });

  /**
   * Attempts to sign in to `account`: answers as `check` does, for which null is a failure. A success has the account's
   * failures forgotten. A check that throws has told nothing, and counts for nothing.
   *
   * @throws ApiError 429001 when too many have failed, or too many wait.
   */
  async attempt<T>(account: string, now: number, check: () => Promise<T | null>): Promise<T | null> {
    const state = this.#stateOf(account);
    await enter(state, now);
    try {
      const found = await check();
      if (found === null) state.failures.push(now);
      else state.failures = [];
      return found;
    } finally {
      state.running--;
      for (const look of state.waiting.splice(0)) look();
    }
  }

  #stateOf(account: string): Account {
    const known = this.#accounts.get(account);
    if (known !== undefined) return known;
    const fresh: Account = { failures: [], running: 0, waiting: [] };
    this.#accounts.set(account, fresh);
    return fresh;
  }
}

/** Takes a place among the failures that the account may have. */
async function enter(state: Account, now: number): Promise<void> {
  for (;;) {
    state.failures = state.failures.filter((at) => at > now - WINDOW_MS);
    const { failures, running, waiting } = state;
    if (failures.length >= MAX_FAILURES) throw tooMany(Math.min(...failures) + WINDOW_MS - now);
    if (failures.length + running < MAX_FAILURES) break;
    if (waiting.length >= MAX_WAITING) throw tooMany(1);
    await new Promise<void>((look) => waiting.push(look));
  }
  state.running++;
}

function tooMany(retryAfterMs: number): ApiError {
  const retryAfterSeconds = Math.ceil(retryAfterMs / 1_000);
  return new ApiError("QUOTA_EXCEEDED", "登录失败次数过多,请稍后再试", { retryAfterSeconds });
}
