/** Durations up to this many seconds are counted exactly. */
const EXACT = 64;
/** The ratio of the bounds of neighbouring counters above that. */
const STEP = 1.02;

/**
 * Durations, counted by their length, so that the memory of any number of them is bounded: some 600 counters up to a
 * month. What is read from them is up to 2% too low above {@link EXACT} seconds.
 */
export class Durations {
  readonly #counts = new Map<number, number>();
  #total = 0;

  /** Counts a duration in milliseconds; clocks may make it negative, which counts as none. */
  add(durationMs: number): void {
    const counter = counterOf(Math.max(0, Math.round(durationMs / 1_000)));
    this.#counts.set(counter, (this.#counts.get(counter) ?? 0) + 1);
    this.#total++;
  }

  /** The seconds within which half and nine tenths of them were; null without any. */
  percentiles(): { p50: number; p90: number } | null {
    return this.#total === 0 ? null : { p50: this.#within(0.5), p90: this.#within(0.9) };
  }

  #within(share: number): number {
    let counted = 0;
    for (const [counter, count] of Array.from(this.#counts).sort(([a], [b]) => a - b)) {
      counted += count;
      if (counted >= this.#total * share) return secondsOf(counter);
    }
    return 0;
  }
}

function counterOf(seconds: number): number {
  return seconds <= EXACT ? seconds : EXACT + Math.floor(Math.log(seconds / EXACT) / Math.log(STEP) + 1e-9);
}

function secondsOf(counter: number): number {
  return counter <= EXACT ? counter : Math.ceil(EXACT * STEP ** (counter - EXACT) - 1e-6);
}
