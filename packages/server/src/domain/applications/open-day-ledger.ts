import type { Coordination } from "../../platform/coordination/coordination.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import type { DayLedger } from "./day-ledger.ts";
import { EmbeddedDayLedger } from "./embedded-day-ledger.ts";
import { SharedDayLedger } from "./shared-day-ledger.ts";

/** @param onError is told of counts that could not be written yet. */
export function openDayLedger(
  storage: Storage,
  coordination: Pick<Coordination, "recorded">,
  onError: (error: unknown) => void,
): DayLedger {
  const { beforeEachCommit } = storage;
  if (beforeEachCommit === null) return new SharedDayLedger(storage, coordination, onError);
  return new EmbeddedDayLedger(beforeEachCommit);
}
