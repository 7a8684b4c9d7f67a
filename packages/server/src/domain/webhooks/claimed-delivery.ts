import type { DeliveryState, EventType } from "@portico/protocol";

/**
 * A delivery that a worker holds. `claim` is its fencing token: after another worker has claimed it, or a person has
 * redelivered it, reports under the old token have no effect.
 */
export interface ClaimedDelivery {
  deliveryId: number;
  claim: number;
  eventId: string;
  eventType: EventType;
  body: string;
  /** Retries used so far. */
  retryCount: number;
  /** When it became due. */
  dueAt: number;
}

/** The new state of a delivery, and when it is due again. */
export interface DeliveryVerdict {
  status: DeliveryState;
  dueAt: number | null;
  /** The same by the clock of this machine, for people. */
  nextAttemptAt: number | null;
  retryCount: number;
}
