/** A rate limiter with fixed windows of one second. */
export class RateLimiter {
  readonly #perSecond: number;
  #second = 0;
  #passed = 0;
  #held = 0;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Whether one more may pass at `now` (epoch milliseconds). */
  pass(now: number): boolean {
    const second = Math.floor(now / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#passed = 0;
    }
    if (this.#passed >= this.#perSecond) {
      this.#held++;
      return false;
    }
    this.#passed++;
    return true;
  }

  /** How many were rejected since the last call of this method. */
  takeRejected(): number {
    const held = this.#held;
    this.#held = 0;
    return held;
  }
}
