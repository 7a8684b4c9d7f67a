/** The time for which a result is reused. */
const FRESH_MS = 2_000;

/** Checks whether the database accepts writes, at most once in two seconds, however many callers ask. */
export class WriteProbe {
  readonly #write: () => Promise<void>;
  #answer: Promise<void> = Promise.resolve();
  #askedAt = Number.NEGATIVE_INFINITY;
  #isUnderWay = false;

  constructor(write: () => Promise<void>) {
    this.#write = write;
  }

  /** Resolves when a write succeeded at most two seconds ago; rejects with the error of the write. */
  ask(): Promise<void> {
    const now = performance.now();
    if (this.#isUnderWay || now - this.#askedAt < FRESH_MS) return this.#answer;
    this.#askedAt = now;
    this.#isUnderWay = true;
    this.#answer = this.#write().finally(() => {
      this.#isUnderWay = false;
    });
    this.#answer.catch(() => {});
    return this.#answer;
  }
}
