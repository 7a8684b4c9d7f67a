import type { Logger } from "pino";
import type { Coordination } from "../../../platform/coordination/coordination.ts";
import type { RecordedResult } from "../attempts/attempt-result.ts";
import type { DeliveryVerdict } from "../claimed-delivery.ts";
import type { DueClock } from "../due-clock.ts";
import type { Claim, Judgement } from "./app-deliveries.ts";

/** An attempt is fast when it succeeds within this time. */
const FAST_MS = 200;

/** Reports attempts to circuits. A report that fails is dropped, because the delivery is more important. */
export class CircuitReports {
  readonly #parts: { coordination: Coordination; dueClock: DueClock; log: Logger };

  constructor(parts: { coordination: Coordination; dueClock: DueClock; log: Logger }) {
    this.#parts = parts;
  }

  /** Counts an attempt. @returns what its result means for the following ones. */
  async judge(
    { appId, probe }: Pick<Claim, "appId" | "probe">,
    { result, verdict }: { result: RecordedResult; verdict: DeliveryVerdict },
  ): Promise<Judgement> {
    // Any answer but 2xx counts against the circuit (docs/contract/events.md#the-circuit).
    const success = verdict.status === "DELIVERED";
    const passes = await this.#record(appId, success, probe);
    return { success, fast: success && result.durationMs <= FAST_MS, passes };
  }

  async #record(appId: string, success: boolean, probe: string | null): Promise<boolean | null> {
    const { dueClock, coordination, log } = this.#parts;
    try {
      return await coordination.circuits.record(appId, success, probe, dueClock.now());
    } catch (error) {
      const reason = error instanceof Error ? error.message : error;
      log.warn({ reason, appId }, "the circuit could not count an attempt");
      return null;
    }
  }

  /** Returns a probe that had no result. If that fails, the probe's lease expires. */
  async returnProbe(appId: string, probe: string): Promise<void> {
    const { dueClock, coordination, log } = this.#parts;
    try {
      await coordination.circuits.giveBack(appId, probe, dueClock.now());
    } catch (error) {
      const reason = error instanceof Error ? error.message : error;
      log.warn({ reason, appId }, "a probe could not be returned; its lease expires");
    }
  }
}
