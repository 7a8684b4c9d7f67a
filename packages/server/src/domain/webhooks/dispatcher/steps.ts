import type { Claim } from "./app-deliveries.ts";

/** When a transition happens. */
export interface Moment {
  /** Epoch milliseconds. */
  now: number;
  /** Milliseconds on the monotonic clock. */
  monotonic: number;
}

/** A step for the driver to carry out. */
export type Step<C extends Claim> =
  /** Claim up to `room` deliveries of the application that are due. */
  | { step: "poll"; appId: string; room: number }
  /** Attempt a claimed delivery. */
  | { step: "attempt"; claim: C }
  /** Release claims without an attempt. */
  | { step: "release"; appId: string; claims: readonly C[] }
  /** Tell other processes that they may ask the application's circuit again. */
  | { step: "announce"; appId: string }
  /** Have `timerEnded` called at `at` (epoch milliseconds) at the latest; an earlier time stays armed. */
  | { step: "timer"; at: number };
