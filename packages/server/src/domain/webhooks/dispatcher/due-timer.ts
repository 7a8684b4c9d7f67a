import type { Clock } from "../../../platform/clock/clock.ts";

const MAX_TIMER_MS = 2 ** 31 - 1;

/** One timer for everything that is due later. It ends at the earliest of the times it was given; then it must be re-armed. */
export class DueTimer {
  readonly #clock: Clock;
  readonly #onEnd: () => void;
  #timer: NodeJS.Timeout | undefined;
  /** When it ends, in epoch milliseconds. */
  #endsAt = Number.POSITIVE_INFINITY;

  /**
   * @param onEnd called each time it ends. It may be a little early, and only one time is kept, so the callback must re-arm
   *   the timer for whatever is not due yet.
   */
  constructor(clock: Clock, onEnd: () => void) {
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  /** Arms it to end at `at` (epoch milliseconds) at the latest. */
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
