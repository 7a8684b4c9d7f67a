import type { DayCounter } from "../../platform/coordination/coordination.ts";
import type { Db } from "../../platform/storage/schema.ts";

/** An admitted call: its application, its day in whole UTC days since the epoch, and the counter that counted it. */
export interface DayUse {
  appId: string;
  day: number;
  counter: DayCounter;
  /** Whether that counter is certainly there still. */
  isKept(): boolean;
}

/** Persists the daily call counters, so that a restart of the service or of Redis does not reset them. */
export interface DayLedger {
  /**
   * Records an admitted call in its transaction.
   *
   * @param isAgain whether it was recorded in an earlier try of the transaction, which was rolled back.
   */
  record(tx: Db, use: DayUse, isAgain: boolean): Promise<void> | void;
  /** Resolves when `quota_days` has all calls whose transactions were committed before. */
  gathered(): Promise<void>;
  close(): Promise<void>;
}
