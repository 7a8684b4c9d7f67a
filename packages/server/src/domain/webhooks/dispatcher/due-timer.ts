import type { Clock } from "../../../platform/clock/clock.ts";

const MAX_TIMER_MS = 2 ** 31 - 1;

/** One timer for all that is due at some time: it ends at the nearest of the times it was given, and is set anew then. */
export class DueTimer {
  readonly #clock: Clock;
  readonly #onEnd: () => void;
  #timer: NodeJS.Timeout | undefined;
  /** When it ends, in epoch milliseconds. */
  #endsAt = Number.POSITIVE_INFINITY;

  /** @param onEnd called each time it ends, never early by much: whoever finds nothing due sets it again. */
  constructor(clock: Clock, onEnd: () => void) {
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  /** Has it end at `at` at the latest, in epoch milliseconds. */
  endBy(at: number): void {
    if (at >= this.#endsAt) return;
    clearTimeout(this.#timer);
    this.#endsAt = at;
    const delayMs = Math.min(Math.max(0, at - this.#clock.now()), MAX_TIMER_MS);
    this.#timer = setTimeout(() => {
      this.#endsAt = Number.POSITIVE_INFINITY;
      this.#onEnd();
    }, delayMs);
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
