/**
 * Lets waiting callers go one after another, evenly spaced, first come, first served. Callers who were refused together
 * and return after the same time would otherwise return together again and again.
 */
export class EvenPace {
  readonly #everyMs: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | null = null;

  /** @param maxWaiting when so many wait, further ones do not have to. */
  constructor(everyMs: number, maxWaiting: number) {
    this.#everyMs = everyMs;
    this.#maxWaiting = maxWaiting;
  }

  /** Resolves when the caller may go: at once, unless another has gone less than the interval ago. */
  async next(): Promise<void> {
    if (this.#timer === null) this.#rest();
    else if (this.#waiting.length < this.#maxWaiting) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #rest(): void {
    this.#timer = setTimeout(() => {
      this.#timer = null;
      const go = this.#waiting.shift();
      if (go === undefined) return;
      this.#rest();
      go();
    }, this.#everyMs);
  }
}
