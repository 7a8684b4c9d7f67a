/** When a circuit opens and for how long (docs/contract/events.md#the-circuit). Times are in milliseconds. */
export interface CircuitRules {
  windowMs: number;
  /** Deliveries in the window below which nothing is judged. */
  minimum: number;
  /** Share of failures from which on it opens. */
  failureRate: number;
  openForMs: number;
  /** How long a probe may take before another process sends one of its own. */
  probeLeaseMs: number;
}

/** As the console shows it. */
export type CircuitState = "NORMAL" | "OPEN" | "PROBING";

/** What a circuit lets through now. */
export type Passage =
  | { pass: "all" }
  /** Nothing before `until`, in epoch milliseconds. */
  | { pass: "none"; until: number }
  /** One delivery, whose outcome is to be recorded with the token `probe`. */
  | { pass: "probe"; probe: string };

/**
 * The circuits of all applications, shared by all processes.
 *
 * - NORMAL: outcomes are counted over a sliding window; too many failures open the circuit;
 * - OPEN: nothing passes until its time is over, and outcomes of what was under way are not counted;
 * - PROBING: one delivery passes, under a lease; its outcome closes the circuit or opens it anew.
 */
export interface Circuits {
  enter(appId: string, now: number): Passage | Promise<Passage>;
  /**
   * Counts an outcome.
   *
   * @param probe the token of the probe that this was the outcome of; null for any other delivery.
   * @returns whether everything passes now.
   */
  record(appId: string, success: boolean, probe: string | null, now: number): boolean | Promise<boolean>;
  /** Gives back a probe for which there was nothing to deliver. */
  giveBack(appId: string, probe: string, now: number): void | Promise<void>;
  stateOf(appId: string, now: number): CircuitState | Promise<CircuitState>;
  /** Until when nothing passes, in epoch milliseconds; null while something may. */
  openUntil(appId: string, now: number): number | null | Promise<number | null>;
}
