import { type ELDHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import type { Sample } from "./metrics.ts";

/** How often the event loop is asked to come round. */
const RESOLUTION_MS = 20;
/** Percentiles are of the last complete stretch of this length, so that any number of collectors sees the same. */
const STRETCH_MS = 10_000;
const PERCENTILES = [50, 99, 100] as const;

/** Measures how late the event loop is: how long a call waits before anything is done for it. */
export class EventLoopLag implements Disposable {
  readonly #delays: ELDHistogram;
  readonly #timer: NodeJS.Timeout;
  #last: readonly Sample<"percentile">[] = [];

  constructor() {
    this.#delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    this.#delays.enable();
    this.#timer = setInterval(() => this.#turnOver(), STRETCH_MS);
    this.#timer.unref();
  }

  /** The lag in seconds by percentile, over the last ten seconds or so. */
  get samples(): readonly Sample<"percentile">[] {
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

  #read(): readonly Sample<"percentile">[] {
    if (this.#delays.count === 0) return [];
    return PERCENTILES.map((percentile) => {
      const lateMs = this.#delays.percentile(percentile) / 1e6 - RESOLUTION_MS;
      return [{ percentile: String(percentile) }, Math.max(0, lateMs) / 1_000];
    });
  }
}
