/**
 * Starts at most one waiting piece of work in each turn of the event loop, first come, first served. CPU-bound work
 * from many callers then leaves time for everything else.
 */
export class EventLoopTurns {
  readonly #waiting: (() => void)[] = [];
  #scheduled = false;

  /** Resolves when the caller may start. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled || this.#waiting.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#waiting.shift()?.();
      this.#schedule();
    });
  }
}
