import type { Clock } from "../../src/clock.ts";

/** A clock that stands still until it is turned. Starts at the true time, so that the servers' own timers agree. */
export class TestClock implements Clock {
  #now = Date.now();

  now(): number {
    return this.#now;
  }

  /** Turns the clock by `ms`, forward or back. */
  turn(ms: number): void {
    this.#now += ms;
  }

  /** Sets the clock to `ms` since the epoch. */
  set(ms: number): void {
    this.#now = ms;
  }
}
