import type { Claim } from "./app-deliveries.ts";

/** When a transition happens. */
export interface Moment {
  /** Epoch milliseconds. */
  now: number;
  /** Milliseconds of a clock that is never set. */
  monotonic: number;
}

/** What the driver has to do. */
export type Step<C extends Claim> =
  /** Claim up to `room` deliveries of the application that are due. */
  | { step: "look"; appId: string; room: number }
  /** Carry out a claimed delivery. */
  | { step: "attempt"; claim: C }
  /** Give claims back unused. */
  | { step: "give-back"; appId: string; claims: readonly C[] }
  /** Tell other processes that they may ask the application's circuit again. */
  | { step: "announce"; appId: string }
  /** Have `timeCame` called at `at` (epoch milliseconds) at the latest; earlier times stay in force. */
  | { step: "timer"; at: number };
