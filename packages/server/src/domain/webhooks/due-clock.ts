import type { Clock } from "../../platform/clock/clock.ts";

/** Clocks that differ by less (in milliseconds) show the same time. */
const SAME_MS = 1_000;

/** The dependencies of {@link DueClock}. */
export interface DueClockParts {
  /** The clock of this machine. */
  clock: Clock;
  /** The database's clock, in epoch milliseconds; null when it has no clock of its own. */
  databaseNow(): Promise<number | null>;
}

/**
 * The clock by which deliveries become due and leases end (docs/concurrency.md#the-time-of-deliveries). It must be one
 * for all processes, and setting the clock of a machine must not move what is planned.
 *
 * With PostgreSQL it is the database's clock: read at the start and before each poll, and advanced by the monotonic clock
 * in between. Embedded it is the clock of this machine, except that a jump of a second or more counts as no time; it
 * goes on by the monotonic clock until the machine's clock agrees again, or the service restarts.
 */
export class DueClock implements Clock {
  readonly #parts: DueClockParts;
  /** Its time minus the monotonic time. */
  #offset: number;
  /** The machine's time minus the monotonic time at the last reading of the database's clock; null without one. */
  #machineOffset: number | null = null;

  private constructor(parts: DueClockParts) {
    this.#parts = parts;
    this.#offset = parts.clock.now() - parts.clock.monotonic();
  }

  /** Opens the clock; reads that of the database. */
  static async open(parts: DueClockParts): Promise<DueClock> {
    const clock = new DueClock(parts);
    await clock.read();
    return clock;
  }

  /** In epoch milliseconds. */
  now(): number {
    const { clock } = this.#parts;
    const machine = clock.now();
    const time = clock.monotonic() + this.#offset;
    // The database's clock is not followed by a machine that is a little off.
    if (this.#machineOffset !== null || Math.abs(machine - time) >= SAME_MS) return Math.floor(time);
    this.#offset += machine - time;
    return machine;
  }

  monotonic(): number {
    return this.#parts.clock.monotonic();
  }

  /** Reads the database's clock, if it has one. A reading lags by as long as its answer took, and is never ahead. */
  async read(): Promise<void> {
    const { clock, databaseNow } = this.#parts;
    const asked = clock.monotonic();
    const time = await databaseNow();
    const monotonic = clock.monotonic();
    if (time === null || (this.#machineOffset !== null && monotonic - asked >= SAME_MS)) return;
    this.#offset = time - monotonic;
    this.#machineOffset = clock.now() - monotonic;
  }

  /**
   * Reads the database's clock if the machine's clock and the monotonic one have come apart since the last reading: while a
   * machine sleeps, its monotonic clock may stand still.
   */
  async readAfterJump(): Promise<void> {
    if (this.hasJumped()) await this.read();
  }

  /** Whether the two have come apart since the last reading of the database's clock. */
  hasJumped(): boolean {
    const { clock } = this.#parts;
    if (this.#machineOffset === null) return false;
    return Math.abs(clock.now() - clock.monotonic() - this.#machineOffset) >= SAME_MS;
  }

  /** The same time by the clock of this machine, if the two differ; for people. */
  shown(time: number): number {
    const ahead = this.now() - this.#parts.clock.now();
    return Math.abs(ahead) < SAME_MS ? time : time - ahead;
  }
}
