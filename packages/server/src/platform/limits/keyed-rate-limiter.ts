import { LRUCache } from "lru-cache";
import { RateLimiter } from "./rate-limiter.ts";

/** Rate gates by key; of very many keys the ones used last are known. */
export class KeyedRateLimiter {
  readonly #perSecondAndKey: number;
  readonly #all: RateLimiter;
  readonly #gates: LRUCache<string, RateLimiter>;

  /** Lets so many things through in each second, and of these so many of one key. */
  constructor({
    perSecond,
    perSecondAndKey,
    maxKeys,
  }: { perSecond: number; perSecondAndKey: number; maxKeys: number }) {
    this.#perSecondAndKey = perSecondAndKey;
    this.#all = new RateLimiter(perSecond);
    this.#gates = new LRUCache({ max: maxKeys });
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
