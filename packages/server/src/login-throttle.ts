import { ApiError } from "@portico/protocol";
import { LRUCache } from "lru-cache";

const WINDOW_MS = 600_000;
const MAX_FAILURES = 10;
const MAX_ACCOUNTS = 10_000;

/**
 * Slows the guessing of passwords: an account that has failed ten times in ten minutes is refused until the failures
 * have aged. An attempt counts from its beginning, so that many at once gain nothing.
 */
export class LoginThrottle {
  readonly #attempts = new LRUCache<string, number[]>({ max: MAX_ACCOUNTS });

  /**
   * Counts an attempt to sign in to `account`.
   *
   * @throws ApiError 429001 when there have been too many.
   */
  begin(account: string, now: number): void {
    const recent = (this.#attempts.get(account) ?? []).filter((at) => at > now - WINDOW_MS);
    const [oldest] = recent;
    if (oldest !== undefined && recent.length >= MAX_FAILURES) {
      const retryAfterSeconds = Math.ceil((oldest + WINDOW_MS - now) / 1_000);
      throw new ApiError("QUOTA_EXCEEDED", "登录失败次数过多,请稍后再试", { retryAfterSeconds });
    }
    this.#attempts.set(account, [...recent, now]);
  }

  /** Forgets the attempts of an account that has been signed in to. */
  succeeded(account: string): void {
    this.#attempts.delete(account);
  }
}
