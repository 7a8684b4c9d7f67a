import { createHash } from "node:crypto";
import { ApiError } from "@portico/protocol";
import type { SignInOutcome, SignInPlace, SignIns } from "../../platform/coordination/sign-ins.ts";

/** Attempts of one account that wait for others of it to end, in this process. */
const MAX_WAITING = 100;

/** An account's attempts in this process. */
interface Attempts {
  /** How many are under way or wait. */
  open: number;
  /** Counts those that have ended. */
  ended: number;
  /** Let one look again who waits for an attempt under way to end, in the order of their coming. */
  waiting: (() => void)[];
}

/**
 * Slows the guessing of passwords: an account that has failed ten times in ten minutes is refused until the failures
 * have aged, on every process. An attempt under way takes the place of a failure until it is known not to be one, so that
 * many at once gain nothing; who finds no place waits for it to be known, so that many who know the password are not
 * refused.
 */
export class LoginThrottle {
  readonly #signIns: SignIns;
  readonly #accounts = new Map<string, Attempts>();

  constructor(signIns: SignIns) {
    this.#signIns = signIns;
  }

  /**
   * Attempts to sign in to `name`: answers as `check` does, which is told how many have failed of late, and for which null is
   * a failure. A success has the account's
   * failures forgotten. A check that throws has told nothing, and counts for nothing.
   *
   * @throws ApiError 429001 when too many have failed, or too many are under way.
   */
  async attempt<T>(name: string, now: number, check: (failures: number) => Promise<T | null>): Promise<T | null> {
    const account = createHash("sha256").update(name).digest("base64url");
    const attempts = this.#accounts.get(account) ?? { open: 0, ended: 0, waiting: [] };
    this.#accounts.set(account, attempts);
    attempts.open++;
    try {
      const { place, failures } = await this.#enter(account, attempts, now);
      return await this.#check(account, place, () => check(failures));
    } finally {
      attempts.open--;
      attempts.ended++;
      attempts.waiting.shift()?.();
      if (attempts.open === 0) this.#accounts.delete(account);
    }
  }

  async #check<T>(account: string, place: SignInPlace, check: () => Promise<T | null>): Promise<T | null> {
    let outcome: SignInOutcome = "unknown";
    try {
      const found = await check();
      outcome = found === null ? "failed" : "succeeded";
      return found;
    } finally {
      await this.#signIns.leave(account, place, outcome);
    }
  }

  /** Takes a place among the failures that the account may have. */
  async #enter(account: string, attempts: Attempts, now: number) {
    for (;;) {
      const { ended } = attempts;
      const found = await this.#signIns.enter(account, now);
      if (found.entry === "open") return found;
      if (found.entry === "shut") throw tooMany("LOGIN_FAILURES_TOO_MANY", found.until - now);
      if (attempts.ended !== ended) continue;
      // When those end that are under way in other processes is not told here.
      const others = attempts.open - attempts.waiting.length - 1;
      if (others === 0 || attempts.waiting.length >= MAX_WAITING) throw tooMany("LOGINS_TOO_MANY", 1);
      await new Promise<void>((look) => attempts.waiting.push(look));
    }
  }
}

/** @param retryAfterMs when a retry may find a place. */
export function tooMany(errorCode: "LOGIN_FAILURES_TOO_MANY" | "LOGINS_TOO_MANY", retryAfterMs: number): ApiError {
  const retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  return new ApiError(errorCode, { retryAfterSeconds });
}
