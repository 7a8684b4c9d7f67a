import type { Logger } from "pino";
import type { Clock } from "../../../platform/clock/clock.ts";
import type { Coordination } from "../../../platform/coordination/coordination.ts";

/** Tells circuits what became of attempts. Where that cannot be done, it is forgotten: the delivery matters more. */
export class CircuitReports {
  readonly #parts: { coordination: Coordination; clock: Clock; log: Logger };

  constructor(parts: { coordination: Coordination; clock: Clock; log: Logger }) {
    this.#parts = parts;
  }

  /** Counts an outcome. @returns whether the circuit lets everything through; null when that is not known. */
  async record(appId: string, success: boolean, probe: string | null): Promise<boolean | null> {
    const { clock, coordination, log } = this.#parts;
    try {
      return await coordination.circuits.record(appId, success, probe, clock.now());
    } catch (error) {
      const reason = error instanceof Error ? error.message : error;
      log.warn({ reason, appId }, "an outcome was not counted for its circuit");
      return null;
    }
  }

  /** Gives back a probe for which there was nobody to deliver to; one that cannot be given back ends with its lease. */
  async returnProbe(appId: string, probe: string): Promise<void> {
    const { clock, coordination, log } = this.#parts;
    try {
      await coordination.circuits.giveBack(appId, probe, clock.now());
    } catch (error) {
      const reason = error instanceof Error ? error.message : error;
      log.warn({ reason, appId }, "a probe could not be given back; its lease ends by itself");
    }
  }
}
