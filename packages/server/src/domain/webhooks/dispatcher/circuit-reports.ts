import type { Logger } from "pino";
import type { Coordination } from "../../../platform/coordination/coordination.ts";
import type { RecordedResult } from "../attempts/attempt-result.ts";
import type { DeliveryVerdict } from "../claimed-delivery.ts";
import type { DueClock } from "../due-clock.ts";
import type { Claim, Judgement } from "./app-deliveries.ts";

/** An attempt is fast when it succeeds within this time. */
const FAST_MS = 200;

/** The most successes whose reports nobody waits for. */
const MAX_UNAWAITED = 1_000;

/** Reports attempts to circuits. A report that fails is dropped, because the delivery is more important. */
export class CircuitReports {
  readonly #parts: { coordination: Coordination; dueClock: DueClock; log: Logger };
  readonly #answered: (appId: string, passes: boolean, reportedAt: number) => void;
  #unawaited = 0;

  /** @param answered is told the answers to reports that {@link judge} did not wait for. */
  constructor(
    parts: { coordination: Coordination; dueClock: DueClock; log: Logger },
    answered: (appId: string, passes: boolean, reportedAt: number) => void,
  ) {
    this.#parts = parts;
    this.#answered = answered;
  }

  /**
   * Counts an attempt. Does not wait for the report of a success that is no probe: the delivery needs no answer, and
   * reports that come together cost less.
   *
   * @returns what its result means for the following ones.
   */
  async judge(
    { appId, probe }: Pick<Claim, "appId" | "probe">,
    { result, verdict, isSpared = false }: { result: RecordedResult; verdict: DeliveryVerdict; isSpared?: boolean },
  ): Promise<Judgement> {
    // Whoever asks for a probe waits for its result.
    if (isSpared && probe === null) return { success: false, fast: false, passes: null };
    // Any answer but 2xx counts against the circuit (docs/contract/events.md#the-circuit).
    const success = verdict.status === "DELIVERED";
    const fast = success && result.durationMs <= FAST_MS;
    const report = this.#record(appId, success, probe);
    if (!(report instanceof Promise)) return { success, fast, passes: report };
    if (!success || probe !== null || this.#unawaited >= MAX_UNAWAITED) return { success, fast, passes: await report };
    this.#unawaited++;
    const reportedAt = performance.now();
    void report.then((passes) => {
      this.#unawaited--;
      if (passes !== null) this.#answered(appId, passes, reportedAt);
    });
    return { success, fast, passes: null };
  }

  /** Never rejects. */
  #record(appId: string, success: boolean, probe: string | null): Promise<boolean | null> | boolean {
    const { dueClock, coordination, log } = this.#parts;
    const report = coordination.circuits.record(appId, success, probe, dueClock.now());
    if (!(report instanceof Promise)) return report;
    return report.catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : error;
      log.warn({ reason, appId }, "the circuit could not count an attempt");
      return null;
    });
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
