/** When a circuit opens and for how long (docs/contract/events.md#the-circuit). Times are in milliseconds. */
export interface CircuitRules {
  windowMs: number;
  /** The number of deliveries in the window from which on the failure rate is evaluated. */
  minimum: number;
  /** The failure rate from which on the circuit opens. */
  failureRate: number;
  openForMs: number;
  /** The time limit of a probe, after which another process may send one. */
  probeLeaseMs: number;
}

/** The state, as the console shows it. */
export type CircuitState = "NORMAL" | "OPEN" | "PROBING";

/** A circuit that is not NORMAL; no delivery is allowed until `openUntil`, in epoch milliseconds, or one if that is null. */
export interface HeldBack {
  state: "OPEN" | "PROBING";
  openUntil: number | null;
}

/** What a circuit allows now. */
export type Passage =
  | { pass: "all" }
  /** Nothing before `until`, in epoch milliseconds. */
  | { pass: "none"; until: number }
  /** One delivery, whose outcome must be recorded with the token `probe`. */
  | { pass: "probe"; probe: string };

/**
 * The circuits of all applications, shared by all processes.
 *
 * - NORMAL: outcomes are counted over a sliding window; too many failures open the circuit;
 * - OPEN: no deliveries until its time is over; outcomes of deliveries in progress are not counted;
 * - PROBING: one delivery, under a lease, whose outcome closes the circuit or opens it again.
 */
export interface Circuits {
  enter(appId: string, now: number): Passage | Promise<Passage>;
  /**
   * Records an outcome.
   *
   * @param probe the token of the probe; null for any other delivery.
   * @returns whether all deliveries are allowed now.
   */
  record(appId: string, success: boolean, probe: string | null, now: number): boolean | Promise<boolean>;
  /** Releases a probe for which there was nothing to deliver. */
  giveBack(appId: string, probe: string, now: number): void | Promise<void>;
  stateOf(appId: string, now: number): CircuitState | Promise<CircuitState>;
  /** Those of the applications whose circuit is not NORMAL, asked for at once. */
  heldBack(
    appIds: readonly string[],
    now: number,
  ): ReadonlyMap<string, HeldBack> | Promise<ReadonlyMap<string, HeldBack>>;
  /** The time until which no delivery is allowed, in epoch milliseconds; null when one is. */
  openUntil(appId: string, now: number): number | null | Promise<number | null>;
}
