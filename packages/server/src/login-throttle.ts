import { ApiError } from "@portico/protocol";
import { LRUCache } from "lru-cache";

const WINDOW_MS = 600_000;
const MAX_FAILURES = 10;
const MAX_ACCOUNTS = 10_000;

/** Slows the guessing of passwords: after ten failures in ten minutes an account is refused until they have aged. */
export class LoginThrottle {
  readonly #failures = new LRUCache<string, number[]>({ max: MAX_ACCOUNTS });

  /** @throws ApiError 429001 when `account` has failed too often. */
  check(account: string, now: number): void {
    const recent = this.#recent(account, now);
    const [oldest] = recent;
    if (oldest === undefined || recent.length < MAX_FAILURES) return;
    const retryAfterSeconds = Math.ceil((oldest + WINDOW_MS - now) / 1_000);
    throw new ApiError("QUOTA_EXCEEDED", "登录失败次数过多,请稍后再试", { retryAfterSeconds });
  }

  failed(account: string, now: number): void {
    this.#failures.set(account, [...this.#recent(account, now), now].slice(-MAX_FAILURES));
  }

  #recent(account: string, now: number): number[] {
    return (this.#failures.get(account) ?? []).filter((at) => at > now - WINDOW_MS);
  }
}
