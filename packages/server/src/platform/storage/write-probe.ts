/** An answer so young is given to others as well. */
const FRESH_MS = 2_000;

/** Tries whether something can be written, at most every two seconds, however many ask. */
export class WriteProbe {
  readonly #write: () => Promise<void>;
  #answer: Promise<void> = Promise.resolve();
  #askedAt = Number.NEGATIVE_INFINITY;
  #isUnderWay = false;

  constructor(write: () => Promise<void>) {
    this.#write = write;
  }

  /** Resolves when it could be written a moment ago; fails as the write did. */
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
