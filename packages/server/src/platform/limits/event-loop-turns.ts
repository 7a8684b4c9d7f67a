/**
 * Lets one piece of work begin in each turn of the event loop, in the order in which they ask. Work that would be done in
 * one go, since it waits for nothing but its own, so leaves room for all else, however many bring it.
 */
export class EventLoopTurns {
  readonly #waiting: (() => void)[] = [];
  #scheduled = false;

  /** Resolves when it is the caller's turn. */
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
