/** A budget that is spent at any pace and refilled at one: so much at once, so much per second for good. */
export class TokenBucket {
  readonly #capacity: number;
  readonly #perSecond: number;
  #left: number;
  #filledAt: number | null = null;

  constructor({ capacity, perSecond }: { capacity: number; perSecond: number }) {
    this.#capacity = capacity;
    this.#perSecond = perSecond;
    this.#left = capacity;
  }

  /** Spends `amount` at `now` (epoch milliseconds); false, and nothing is spent, when there is not so much left. */
  take(amount: number, now: number): boolean {
    // A clock that was turned back refills nothing, and does not stop what comes after from refilling.
    const elapsedMs = Math.max(0, now - (this.#filledAt ?? now));
    this.#filledAt = now;
    this.#left = Math.min(this.#capacity, this.#left + (elapsedMs / 1_000) * this.#perSecond);
    if (amount > this.#left) return false;
    this.#left -= amount;
    return true;
  }
}
