/** So many keys are told apart; beyond that, all others share one allowance. Only those count that have used some lately. */
const MAX_KEYS = 100_000;
/** How often at most all keys are looked through for those that may be forgotten. */
const FORGET_EVERY_MS = 1_000;
const OTHERS = "";

/**
 * How much of something each key may use in a time: all of it at once if need be, and what has been used comes back
 * evenly. Kept is when all will have come back, so that a key which has used nothing lately takes no memory. Times are
 * milliseconds of a clock that nobody sets.
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

  /** How long it takes, in milliseconds, until `use` more can be taken; 0 when it can be now. */
  waitFor(key: string, use: number, now: number): number {
    return Math.max(0, this.#missing(this.#keyOf(key, now), now) + this.#timeFor(use) - this.#periodMs);
  }

  /** Takes `use`, whether there is so much left or not; at most what there is has to come back. */
  take(key: string, use: number, now: number): void {
    const kept = this.#keyOf(key, now);
    this.#wholeAt.set(kept, now + Math.min(this.#missing(kept, now) + this.#timeFor(use), this.#periodMs));
  }

  /** Gives back what was taken and not used after all. */
  giveBack(key: string, use: number, now: number): void {
    this.take(key, -use, now);
  }

  /** How much of the key's allowance has been used and not come back. */
  used(key: string, now: number): number {
    return Math.round((this.#missing(this.#keyOf(key, now), now) / this.#periodMs) * this.amount);
  }

  /** In milliseconds, how long it takes until all of the allowance is there again. */
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
