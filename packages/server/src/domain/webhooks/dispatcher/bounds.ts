import { SOCKET_LIMITS } from "@portico/protocol";

/** Limits of a dispatcher, per application and in total. Times are in milliseconds. */
export interface Bounds {
  /** Concurrent attempts of one application; also the highest pace. */
  perApp: number;
  /** Concurrent attempts of all applications. */
  maxAttempting: number;
  /**
   * Beyond `maxAttempting`, each application may have up to `share` attempts, `maxShared` in total, so that a few slow
   * receivers do not block the others.
   */
  share: number;
  maxShared: number;
  /** Claims held, in any stage; each keeps the body of its event in memory. */
  maxClaims: number;
  /** While attempts are fast, an application may hold this many times `perApp` claims. */
  aheadFactor: number;
  /** A claim that has waited longer than this for its attempt is released, so that its lease covers the attempt. */
  maxAheadMs: number;
  /** How many waiting applications are advanced each time something ends. */
  wokenAtOnce: number;
  /** An application whose deliveries are due but locked by another transaction is polled again after this time. */
  heldPauseMs: number;
  /** An application whose deliveries could not be claimed is polled again after this time. */
  pauseAfterErrorMs: number;
  /** For this long after the circuit was found closed, deliveries are claimed by the transactions that write them. */
  knownClosedMs: number;
}

/** The bounds of a process that attempts up to `perApp` deliveries of one application at a time. */
export function boundsFor(perApp: number): Bounds {
  return {
    perApp,
    maxAttempting: 256,
    share: 2,
    maxShared: 256,
    maxClaims: 1_024,
    aheadFactor: 4,
    maxAheadMs: 2_000,
    wokenAtOnce: 16,
    heldPauseMs: 100,
    pauseAfterErrorMs: 1_000,
    knownClosedMs: 1_000,
  };
}

/** The bounds of a process for events by socket; how many a connection takes is bounded beside. */
export function socketBounds(): Bounds {
  return {
    perApp: SOCKET_LIMITS.connectionsPerApp * SOCKET_LIMITS.unacknowledged,
    maxAttempting: 4_096,
    share: 20,
    maxShared: 4_096,
    maxClaims: 8_192,
    aheadFactor: 1,
    maxAheadMs: 2_000,
    wokenAtOnce: 16,
    heldPauseMs: 100,
    pauseAfterErrorMs: 1_000,
    knownClosedMs: 1_000,
  };
}

/** What all applications together hold. */
export interface Load {
  attempting: number;
  /** Claims held, and those reserved for polls in progress. */
  claims: number;
  /** Whether applications wait for a slot or for claims. */
  isContended: boolean;
}

/** What one application holds. */
export interface AppLoad {
  waiting: number;
  attempting: number;
  recording: number;
  /** Claims that transactions in progress may bring. */
  reserved: number;
  fast: boolean;
  pace: number;
}

/** How many more attempts of the application the limits for all applications allow now. */
export function slotsFor(attemptingOfApp: number, attempting: number, bounds: Bounds): number {
  const free = bounds.maxAttempting - attempting;
  if (free > 0) return free;
  return Math.max(0, Math.min(bounds.share - attemptingOfApp, bounds.maxShared + free));
}

/**
 * How many deliveries of the application to claim now. Claims are made in advance of their attempts only while attempts
 * are fast and no application waits.
 *
 * @returns 0 or less for none; "wait" when other applications use up the limits; "scarce" when it has its share, as long as claims
 * are scarce.
 */
export function roomFor(app: AppLoad, all: Load, bounds: Bounds): number | "wait" | "scarce" {
  const { waiting, attempting, recording, reserved, fast, pace } = app;
  const { perApp, maxAttempting, share, maxClaims, aheadFactor } = bounds;
  const claims = maxClaims - all.claims;
  const free = slotsFor(attempting, all.attempting, bounds);
  if (claims <= 0 || free === 0) return "wait";
  const slots = free - waiting - reserved;
  if (slots <= 0) return 0;
  const inHand = waiting + attempting + recording + reserved;
  if (fast && !all.isContended && pace >= perApp) {
    // Many claims in one transaction, rather than one transaction per finished attempt.
    return waiting > perApp ? 0 : Math.min(aheadFactor * perApp - inHand, claims);
  }
  const room = Math.min(perApp - inHand, pace - inHand, slots, claims);
  // When claims are scarce, an application whose receiver may hang must not take those that others could use.
  if (room <= 0 || all.claims < maxAttempting) return room;
  return share > inHand ? Math.min(room, share - inHand) : "scarce";
}
