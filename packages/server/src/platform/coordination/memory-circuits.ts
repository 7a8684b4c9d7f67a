import { randomUUID } from "node:crypto";
import type { CircuitRules, CircuitState, Circuits, HeldBack, Passage } from "./circuit.ts";

type Circuit =
  | { state: "NORMAL"; outcomes: OutcomeWindow }
  | { state: "OPEN"; until: number }
  | { state: "PROBING"; until: number; probe: string };

/** The circuits of one process: a small record for each application that has had a delivery. */
export class MemoryCircuits implements Circuits {
  readonly #rules: CircuitRules;
  readonly #circuits = new Map<string, Circuit>();
  #sweptAt = 0;

  constructor(rules: CircuitRules) {
    this.#rules = rules;
  }

  enter(appId: string, now: number): Passage {
    const circuit = this.#at(appId, now);
    if (circuit === undefined || circuit.state === "NORMAL") return { pass: "all" };
    if (now < circuit.until) return { pass: "none", until: circuit.until };
    const probe = randomUUID();
    this.#circuits.set(appId, { state: "PROBING", until: now + this.#rules.probeLeaseMs, probe });
    return { pass: "probe", probe };
  }

  record(appId: string, success: boolean, probe: string | null, now: number): boolean {
    if (Math.abs(now - this.#sweptAt) > this.#rules.windowMs) this.#sweep(now);
    const circuit = this.#circuits.get(appId) ?? { state: "NORMAL", outcomes: new OutcomeWindow() };
    if (circuit.state === "NORMAL") {
      const { windowMs, minimum, failureRate } = this.#rules;
      circuit.outcomes.add(success, now, windowMs);
      const { count, failures } = circuit.outcomes;
      if (count >= minimum && failures / count >= failureRate) this.#open(appId, now);
      else this.#circuits.set(appId, circuit);
    } else if (circuit.state === "PROBING" && circuit.probe === probe) {
      if (success) this.#circuits.delete(appId);
      else this.#open(appId, now);
    }
    return this.stateOf(appId, now) === "NORMAL";
  }

  giveBack(appId: string, probe: string, now: number): void {
    const circuit = this.#circuits.get(appId);
    if (circuit?.state !== "PROBING" || circuit.probe !== probe) return;
    this.#circuits.set(appId, { state: "OPEN", until: now });
  }

  stateOf(appId: string, now: number): CircuitState {
    const circuit = this.#circuits.get(appId);
    // The time is over: the next delivery is the probe.
    if (circuit?.state === "OPEN" && now >= circuit.until) return "PROBING";
    return circuit?.state ?? "NORMAL";
  }

  heldBack(appIds: readonly string[], now: number): Map<string, HeldBack> {
    const held = new Map<string, HeldBack>();
    for (const appId of appIds) {
      const state = this.stateOf(appId, now);
      if (state !== "NORMAL") held.set(appId, { state, openUntil: this.openUntil(appId, now) });
    }
    return held;
  }

  openUntil(appId: string, now: number): number | null {
    const circuit = this.#circuits.get(appId);
    return circuit === undefined || circuit.state === "NORMAL" || now >= circuit.until ? null : circuit.until;
  }

  /** The circuit, open for at most its duration from now, so that setting back the clock does not extend it. */
  #at(appId: string, now: number): Circuit | undefined {
    const circuit = this.#circuits.get(appId);
    if (circuit === undefined || circuit.state === "NORMAL") return circuit;
    const { openForMs, probeLeaseMs } = this.#rules;
    circuit.until = Math.min(circuit.until, now + (circuit.state === "OPEN" ? openForMs : probeLeaseMs));
    return circuit;
  }

  /** Removes the applications without an outcome in the window. */
  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const [appId, circuit] of this.#circuits) {
      if (circuit.state === "NORMAL" && circuit.outcomes.newestAt <= now - this.#rules.windowMs) {
        this.#circuits.delete(appId);
      }
    }
  }

  #open(appId: string, now: number): void {
    this.#circuits.set(appId, { state: "OPEN", until: now + this.#rules.openForMs });
  }
}

/** The most outcomes that are stored; the oldest are removed first. Enough for an exact failure rate. */
const MAX_OUTCOMES = 10_000;

/** The outcomes of a sliding window, with their counts. */
class OutcomeWindow {
  #outcomes: { at: number; success: boolean }[] = [];
  #first = 0;
  failures = 0;

  get count(): number {
    return this.#outcomes.length - this.#first;
  }

  add(success: boolean, at: number, windowMs: number): void {
    this.#outcomes.push({ at, success });
    if (!success) this.failures++;
    for (
      let oldest = this.#oldest;
      oldest && (oldest.at <= at - windowMs || oldest.at > at || this.count > MAX_OUTCOMES);
    ) {
      this.#first++;
      if (!oldest.success) this.failures--;
      oldest = this.#oldest;
    }
    // Removed outcomes are deleted in batches.
    if (this.#first > this.count) {
      this.#outcomes = this.#outcomes.slice(this.#first);
      this.#first = 0;
    }
  }

  /** The time of the newest outcome; minus infinity when there is none. */
  get newestAt(): number {
    return this.#outcomes.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  }

  get #oldest() {
    return this.#outcomes[this.#first];
  }
}
