import { quantileOf } from "./latencies.ts";

/** The result of a load. */
export interface Outcome {
  answered: number;
  /** Time from the first send to the last answer. */
  elapsedMs: number;
  p50Ms: number;
  p99Ms: number;
}

/** Counts the answers of one phase. */
export class Tally {
  readonly startedMs = performance.now();
  readonly #latenciesMs: Float64Array;
  #answered = 0;
  #refused = 0;
  #sample = "";
  #endedMs = this.startedMs;

  constructor(capacity: number) {
    this.#latenciesMs = new Float64Array(capacity);
  }

  /** Counts an answer that has just arrived. `refusal` is its text, or null for a success. */
  note(sinceMs: number, refusal: string | null): void {
    this.#endedMs = performance.now();
    this.#latenciesMs[this.#answered++] = this.#endedMs - sinceMs;
    if (refusal === null) return;
    if (this.#refused++ === 0) this.#sample = refusal;
  }

  /** @throws when any call was refused; the error contains one of the answers. */
  close(): Outcome {
    if (this.#refused > 0) {
      throw new Error(`${this.#refused} of ${this.#answered} calls did not succeed, for example:\n${this.#sample}`);
    }
    const sorted = this.#latenciesMs.subarray(0, this.#answered).sort();
    return {
      answered: this.#answered,
      elapsedMs: this.#endedMs - this.startedMs,
      p50Ms: quantileOf(sorted, 0.5),
      p99Ms: quantileOf(sorted, 0.99),
    };
  }
}
