/** A rest is never longer: what is slow for reasons of its own, a database that does not answer, would else stop all. */
const LONGEST_REST_MS = 50;

/**
 * Lets pieces of work run one at a time, in the order in which they ask, each followed by a rest. The rest is as long as the
 * piece took, the time it waited for the event loop or the database included: so the work takes half of the time at most, and the
 * busier everything else is, the less it takes.
 */
export class PacedSemaphore {
  readonly #waiting: (() => void)[] = [];
  #taken = false;

  /** Does `work` when it is its turn. Its result is there at once: the rest is for the next to wait. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#taken = true;
    const beganAt = performance.now();
    try {
      return await work();
    } finally {
      setTimeout(() => this.#passOn(), Math.min(performance.now() - beganAt, LONGEST_REST_MS));
    }
  }

  #passOn(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken = false;
    else next();
  }
}
