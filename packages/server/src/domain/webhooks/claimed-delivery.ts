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
  /** What the frame needs to know of a delivery by socket; undefined for one to a webhook. */
  socket?: SocketClaim;
}

/** A claim for a connection of this process. */
export interface SocketClaim {
  connectionId: string;
  /** How often it has been redelivered. */
  round: number;
  /** Attempts that were recorded. */
  attemptCount: number;
  /** How many connections in a row have ended with it. */
  ends: number;
}

/** The new state of a delivery, and when it is due again. */
export interface DeliveryVerdict {
  status: DeliveryState;
  dueAt: number | null;
  /** The same by the clock of this machine, for people. */
  nextAttemptAt: number | null;
  retryCount: number;
}
