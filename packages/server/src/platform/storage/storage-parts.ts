import type { LogParts } from "./sqlite/write-ahead-log.ts";
import type { ObserveSql } from "./storage.ts";
import type { StorageTimings } from "./storage-timings.ts";

/** Dependencies of a database. */
export interface StorageParts extends LogParts {
  observeSql?: ObserveSql | undefined;
  timings?: StorageTimings | undefined;
}
