import type { Clock } from "../../src/platform/clock/clock.ts";

/** A clock that stands still until it is turned. Starts at the true time, so that the servers' own timers agree. */
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

  /** Lets `ms` pass. A negative number only sets the clock back: time does not go back. */
  turn(ms: number): void {
    this.#now += ms;
    // The true one tells fractions of milliseconds, too.
    if (ms > 0) this.#monotonic += ms + 0.1;
    this.#database += Math.max(0, ms);
  }

  /** Lets time pass until it is `ms` since the epoch, or sets the clock back to that. */
  set(ms: number): void {
    this.turn(ms - this.#now);
  }

  /** Somebody sets the machine's clock by `ms`, forward or back, without any time passing. */
  jump(ms: number): void {
    this.#now += ms;
  }

  /** Somebody sets the clock of the database's machine. */
  jumpDatabase(ms: number): void {
    this.#database += ms;
  }
}
