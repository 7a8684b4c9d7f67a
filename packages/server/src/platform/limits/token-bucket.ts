/** A token bucket: `amount` at once, then refilled at a constant rate. */
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

  /** Takes `amount` tokens at `now` (epoch milliseconds); false, and none are taken, when fewer are left. */
  tryConsume(amount: number, now: number): boolean {
    // Setting the clock back refills nothing; refilling continues from the new time.
    const elapsedMs = Math.max(0, now - (this.#filledAt ?? now));
    this.#filledAt = now;
    this.#left = Math.min(this.#capacity, this.#left + (elapsedMs / 1_000) * this.#perSecond);
    if (amount > this.#left) return false;
    this.#left -= amount;
    return true;
  }

  /** Returns tokens that were taken and not used. */
  giveBack(amount: number): void {
    this.#left = Math.min(this.#capacity, this.#left + amount);
  }
}
