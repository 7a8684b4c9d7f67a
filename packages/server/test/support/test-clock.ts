import type { Clock } from "../../src/platform/clock/clock.ts";

/** A clock that stands still until it is turned. It starts at the real time, to agree with the servers' own timers. */
export class TestClock implements Clock {
  #now = Date.now();
  #monotonic = 0;
  #database = this.#now;

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  /** The database's clock. */
  database(): number {
    return this.#database;
  }

  /** Lets `ms` pass. A negative number only sets the clock back; the monotonic time does not go back. */
  turn(ms: number): void {
    this.#now += ms;
    // The real clock has fractions of milliseconds, too.
    if (ms > 0) this.#monotonic += ms + 0.1;
    this.#database += Math.max(0, ms);
  }

  /** Lets time pass until the clock shows `ms` since the epoch, or sets it back to that. */
  set(ms: number): void {
    this.turn(ms - this.#now);
  }

  /** Sets the machine's clock forward or back by `ms`; no time passes. */
  jump(ms: number): void {
    this.#now += ms;
  }

  /** Sets the clock of the database's machine. */
  jumpDatabase(ms: number): void {
    this.#database += ms;
  }
}
