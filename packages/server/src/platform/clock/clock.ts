/** Where the service learns what time it is; tests turn one of their own. */
export interface Clock {
  /** Milliseconds since the epoch, as far as the machine knows: somebody may set it, forward or back. */
  now(): number;
  /** Milliseconds since some moment. They pass evenly while the process runs, whatever becomes of {@link now}. */
  monotonic(): number;
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
