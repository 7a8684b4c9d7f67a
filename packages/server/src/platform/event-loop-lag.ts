import { type ELDHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import type { Sample } from "./metrics.ts";

/** How often the event loop is asked to come round. */
const RESOLUTION_MS = 20;
/** Quantiles are of the last complete stretch of this length, so that any number of collectors sees the same. */
const STRETCH_MS = 10_000;
const QUANTILES = { "0.5": 50, "0.99": 99, "1": 100 } as const;

/** Measures how late the event loop is: how long a call waits before anything is done for it. */
export class EventLoopLag implements Disposable {
  readonly #delays: ELDHistogram;
  readonly #timer: NodeJS.Timeout;
  #last: readonly Sample<"quantile">[] = [];

  constructor() {
    this.#delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    this.#delays.enable();
    this.#timer = setInterval(() => this.#turnOver(), STRETCH_MS);
    this.#timer.unref();
  }

  /** The lag in seconds by quantile, over the last ten seconds or so. */
  get samples(): readonly Sample<"quantile">[] {
    return this.#last.length > 0 ? this.#last : this.#read();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#delays.disable();
  }

  #turnOver(): void {
    this.#last = this.#read();
    this.#delays.reset();
  }

  #read(): readonly Sample<"quantile">[] {
    if (this.#delays.count === 0) return [];
    return Object.entries(QUANTILES).map(([quantile, percent]) => {
      const lateMs = this.#delays.percentile(percent) / 1e6 - RESOLUTION_MS;
      return [{ quantile }, Math.max(0, lateMs) / 1_000];
    });
  }
}
