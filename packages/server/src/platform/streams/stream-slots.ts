/** Limits the number of streams of all kinds in this process. */
export class StreamSlots {
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** Acquires a slot; null when there is none. Returns a function that releases it, to be called once. */
  acquire(): (() => void) | null {
    if (this.#free <= 0) return null;
    this.#free--;
    return () => {
      this.#free++;
    };
  }
}
