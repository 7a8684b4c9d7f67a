/** Limits the number of streams of all kinds in this process. */
export class StreamPlaces {
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** Takes a place; null when there is none. Returns a function that releases it, to be called once. */
  take(): (() => void) | null {
    if (this.#free <= 0) return null;
    this.#free--;
    return () => {
      this.#free++;
    };
  }
}
