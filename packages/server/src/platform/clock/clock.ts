/** The source of time; tests pass a clock that they advance themselves. */
export interface Clock {
  /** Wall-clock time in epoch milliseconds. It can jump forward or back when the machine's clock is set. */
  now(): number;
  /** Monotonic time in milliseconds since an arbitrary moment; never affected by changes of {@link now}. */
  monotonic(): number;
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
