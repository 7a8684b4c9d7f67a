import type { LRUCache } from "lru-cache";
import { growingLru } from "./growing-lru.ts";
import { RateLimiter } from "./rate-limiter.ts";

/** A rate limit for each key and one for all keys together. Keeps the most recently used keys (LRU). */
export class KeyedRateLimiter {
  readonly #perSecondAndKey: number;
  readonly #all: RateLimiter;
  readonly #gates: LRUCache<string, RateLimiter>;

  /** Allows `perSecond` events in each second, and `perSecondAndKey` of one key. */
  constructor({
    perSecond,
    perSecondAndKey,
    maxKeys,
  }: { perSecond: number; perSecondAndKey: number; maxKeys: number }) {
    this.#perSecondAndKey = perSecondAndKey;
    this.#all = new RateLimiter(perSecond);
    this.#gates = growingLru(maxKeys);
  }

  /** Whether one more of `key` may pass at `now` (epoch milliseconds). */
  pass(key: string, now: number): boolean {
    let own = this.#gates.get(key);
    if (own === undefined) {
      own = new RateLimiter(this.#perSecondAndKey);
      this.#gates.set(key, own);
    }
    return own.pass(now) && this.#all.pass(now);
  }
}
