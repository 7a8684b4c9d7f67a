import { LRUCache } from "lru-cache";
import { RateGate } from "./rate-gate.ts";

/** Rate gates by key; of very many keys the ones used last are known. */
export class RateGates {
  readonly #perSecondAndKey: number;
  readonly #all: RateGate;
  readonly #gates: LRUCache<string, RateGate>;

  /** Lets so many things through in each second, and of these so many of one key. */
  constructor({
    perSecond,
    perSecondAndKey,
    maxKeys,
  }: { perSecond: number; perSecondAndKey: number; maxKeys: number }) {
    this.#perSecondAndKey = perSecondAndKey;
    this.#all = new RateGate(perSecond);
    this.#gates = new LRUCache({ max: maxKeys });
  }

  /** Whether one more of `key` may pass at `now` (epoch milliseconds). */
  pass(key: string, now: number): boolean {
    let own = this.#gates.get(key);
    if (own === undefined) {
      own = new RateGate(this.#perSecondAndKey);
      this.#gates.set(key, own);
    }
    return own.pass(now) && this.#all.pass(now);
  }
}
