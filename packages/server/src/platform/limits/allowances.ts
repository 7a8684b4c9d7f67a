/**
 * The number of keys with an allowance of their own. Further keys share one allowance. A key whose allowance is full
 * again is not counted.
 */
const MAX_KEYS = 100_000;
/** The shortest time between two scans for keys that can be removed. */
const FORGET_EVERY_MS = 1_000;
const OTHERS = "";

/**
 * A rate limit for each key, by the generic cell rate algorithm: a key may use its whole allowance at once, and what it
 * has used is restored evenly over the period. Only the time at which an allowance is full again is stored, so idle
 * keys take no memory. Times are milliseconds of a monotonic clock.
 */
export class Allowances {
  readonly amount: number;
  readonly #periodMs: number;
  readonly #maxKeys: number;
  readonly #wholeAt = new Map<string, number>();
  #forgottenAt = Number.NEGATIVE_INFINITY;

  /** Each key may use `amount` in `periodMs`. */
  constructor(amount: number, periodMs: number, maxKeys = MAX_KEYS) {
    this.amount = amount;
    this.#periodMs = periodMs;
    this.#maxKeys = maxKeys;
  }

  /** The time in milliseconds until `use` can be taken; 0 when it can be taken now. */
  waitFor(key: string, use: number, now: number): number {
    return Math.max(0, this.#missing(this.#keyOf(key, now), now) + this.#timeFor(use) - this.#periodMs);
  }

  /** Takes `use`, even if less is left; the allowance is full again after one period at the latest. */
  take(key: string, use: number, now: number): void {
    const kept = this.#keyOf(key, now);
    this.#wholeAt.set(kept, now + Math.min(this.#missing(kept, now) + this.#timeFor(use), this.#periodMs));
  }

  /** Returns what was taken and not used. */
  giveBack(key: string, use: number, now: number): void {
    this.take(key, -use, now);
  }

  /** How much of the key's allowance is used up now. */
  used(key: string, now: number): number {
    return Math.round((this.#missing(this.#keyOf(key, now), now) / this.#periodMs) * this.amount);
  }

  /** The time in milliseconds until the allowance is full again. */
  #missing(key: string, now: number): number {
    return Math.max(0, (this.#wholeAt.get(key) ?? now) - now);
  }

  #timeFor(use: number): number {
    return (use / this.amount) * this.#periodMs;
  }

  #keyOf(key: string, now: number): string {
    if (this.#wholeAt.has(key) || this.#wholeAt.size < this.#maxKeys) return key;
    this.#forget(now);
    return this.#wholeAt.size < this.#maxKeys ? key : OTHERS;
  }

  #forget(now: number): void {
    if (now - this.#forgottenAt < FORGET_EVERY_MS) return;
    this.#forgottenAt = now;
    for (const [key, wholeAt] of this.#wholeAt) if (wholeAt <= now) this.#wholeAt.delete(key);
  }
}
