/** Why a delivery attempt got no answer, or what it was by socket: the `reason` of the attempt in the console. */
export const DELIVERY_FAILURES = [
  "dns",
  "refused-address:too-long",
  "refused-address:malformed",
  "refused-address:not-https",
  "refused-address:credentials-in-url",
  "refused-address:private-address",
  "connect-timeout",
  "connection-refused",
  "unreachable",
  "tls",
  "connection-reset",
  "read-timeout",
  "bad-response",
  "network",
  // By socket.
  "nack",
  "ack-timeout",
  "connection-ended",
  "no-connection",
] as const;

/** One of {@link DELIVERY_FAILURES}. */
export type DeliveryFailure = (typeof DELIVERY_FAILURES)[number];

/** Why an event was DROPPED: the `lastReason` of its delivery. */
export const DROP_REASONS = ["application-not-active", "no-subscription", "subscription-inactive"] as const;

/** One of {@link DROP_REASONS}. */
export type DropReason = (typeof DROP_REASONS)[number];
