import type { LogParts } from "./sqlite/write-ahead-log.ts";
import type { ObserveSql } from "./storage.ts";

/** What a database is opened with. */
export interface StorageParts extends LogParts {
  observeSql?: ObserveSql | undefined;
}
