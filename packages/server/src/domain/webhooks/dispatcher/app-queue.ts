import type { ClaimedDelivery } from "../delivery-store.ts";
import type { Recipients } from "../subscription-store.ts";

/**
 * What this process knows and holds of an application's deliveries. Each claim goes through three stages: it waits its
 * turn in `ahead`, is attempted, and is recorded while the next is attempted already.
 */
export interface AppQueue {
  /** Claimed, to be attempted next. */
  ahead: Claim[];
  attempting: number;
  recording: number;
  /** Whether deliveries are being claimed: one look at a time. */
  looking: boolean;
  /** Whether there may be something due that nobody has claimed. */
  more: boolean;
  /** When something is known to be due next. */
  dueAt: number | null;
  /** Whether the last attempt succeeded at once, so that what is claimed ahead will not wait long. */
  swift: boolean;
  /** Until when nothing is claimed, since the circuit lets nothing through. */
  closedUntil: number;
  /** Claims that may be in hand at a time: one at first after the circuit was open, one more with every success. */
  pace: number;
}

/** A delivery in this process's hands. */
export interface Claim {
  delivery: ClaimedDelivery;
  /** When it was claimed, on the clock of `performance.now()`. */
  claimedAt: number;
  /** Whom it goes to, and when that was read, on the same clock. */
  recipients: Recipients;
  readAt: number;
  /** The circuit's token when this is its probe. */
  probe: string | null;
}

/** The queue of an application of which nothing is known yet; `pace` is as many as may be in hand at most. */
export function newQueue(pace: number): AppQueue {
  return {
    ahead: [],
    attempting: 0,
    recording: 0,
    looking: false,
    more: false,
    dueAt: null,
    swift: false,
    closedUntil: 0,
    pace,
  };
}
