/** While others wait, a pause is longer: a crowd of readers must not use half of the time between them. */
const CROWD_FACTOR = 3;
/** The longest pause. Without it, one slow piece (a database that does not answer) would stop all others. */
const LONGEST_REST_MS = 50;

/** How long to rest after a piece of work that took so long, in milliseconds. */
export function restAfter(tookMs: number): number {
  return Math.min(tookMs, LONGEST_REST_MS);
}

/**
 * A semaphore with one permit that pauses after each piece of work for as long as the piece took (waiting for the event
 * loop or the database included), and three times as long when others wait; at most 50 ms. So this work takes at most
 * half of the time, a quarter when there is a crowd, and less when the process is busy. First come, first served.
 */
export class PacedSemaphore {
  readonly #waiting: (() => void)[] = [];
  #taken = false;

  /** Runs `work` when it gets the permit. The result is returned without the pause, which only delays the next piece. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#taken = true;
    const beganAt = performance.now();
    try {
      return await work();
    } finally {
      const crowd = this.#waiting.length > 0 ? CROWD_FACTOR : 1;
      setTimeout(() => this.#passOn(), restAfter(crowd * (performance.now() - beganAt)));
    }
  }

  #passOn(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken = false;
    else next();
  }
}
