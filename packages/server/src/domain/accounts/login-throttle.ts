import { createHash } from "node:crypto";
import { ApiError } from "@portico/protocol";
import type { SignInOutcome, SignInPlace, SignIns } from "../../platform/coordination/sign-ins.ts";

/** The most attempts of one account that may wait for its other attempts to end, in this process. */
const MAX_WAITING = 100;

/** The attempts of one account in this process. */
interface Attempts {
  /** Attempts in progress or waiting. */
  open: number;
  /** The number of attempts that have ended so far. */
  ended: number;
  /** Callbacks that let a waiting attempt try again when another one ends, in order of arrival. */
  waiting: (() => void)[];
}

/**
 * Slows password guessing: an account with ten failures in ten minutes is refused until they have aged, in every
 * process.
 *
 * An attempt in progress counts as a failure until its result is known, so concurrent guesses gain nothing. An attempt
 * that finds no free slot waits for such a result, so concurrent correct sign-ins are not refused.
 */
export class LoginThrottle {
  readonly #signIns: SignIns;
  readonly #accounts = new Map<string, Attempts>();

  constructor(signIns: SignIns) {
    this.#signIns = signIns;
  }

  /**
   * Attempts to sign in to `name`. `check` receives the number of recent failures; its result is returned, and null
   * counts as a failure. A success clears the account's failures. A check that throws is not counted.
   *
   * @throws ApiError 429001 when the account has too many failures or too many attempts in progress.
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

  /** Reserves a slot among the failures that the account may have. */
  async #enter(account: string, attempts: Attempts, now: number) {
    for (;;) {
      const { ended } = attempts;
      const found = await this.#signIns.enter(account, now);
      if (found.entry === "open") return found;
      if (found.entry === "shut") throw tooMany("LOGIN_FAILURES_TOO_MANY", found.until - now);
      if (attempts.ended !== ended) continue;
      // This process is not notified when attempts in other processes end.
      const others = attempts.open - attempts.waiting.length - 1;
      if (others === 0 || attempts.waiting.length >= MAX_WAITING) throw tooMany("LOGINS_TOO_MANY", 1);
      await new Promise<void>((look) => attempts.waiting.push(look));
    }
  }
}

/** @param retryAfterMs when a retry may succeed, in milliseconds from now. */
export function tooMany(errorCode: "LOGIN_FAILURES_TOO_MANY" | "LOGINS_TOO_MANY", retryAfterMs: number): ApiError {
  const retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  return new ApiError(errorCode, { retryAfterSeconds });
}
