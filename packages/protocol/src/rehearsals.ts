/** Faults of calls that the owner of an application can rehearse (docs/contract/console.md#rehearsing-faults). */
export const CALL_FAULTS = [
  /** Refused with 429001. */
  "CALL_RATE_LIMITED",
  /** Refused with 500000. */
  "CALL_FAILS",
  /** Carried out and answered late. */
  "CALL_SLOW",
  /** Carried out; the connection ends without an answer. */
  "CALL_ANSWER_LOST",
  /** Refused with 400001, as with a credential whose grace is over. */
  "CREDENTIAL_EXPIRED",
] as const;

/** Faults of deliveries, by webhook and by socket. */
export const DELIVERY_FAULTS = [
  /** Delivered; the receiver's answer counts as lost, so that the event comes again by the schedule. */
  "DELIVERY_ANSWER_LOST",
  /** Delivered, and at once delivered again. */
  "DELIVERY_TWICE",
] as const;

export const REHEARSED_FAULTS = [...CALL_FAULTS, ...DELIVERY_FAULTS] as const;

export type CallFault = (typeof CALL_FAULTS)[number];
export type DeliveryFault = (typeof DELIVERY_FAULTS)[number];
export type RehearsedFault = (typeof REHEARSED_FAULTS)[number];

/** The bounds of a rehearsal, and what applies where nothing is said. */
export const REHEARSAL = {
  times: { most: 100, default: 1 },
  minutes: { most: 60, default: 10 },
  delayMs: { most: 10_000, default: 3_000 },
} as const;
