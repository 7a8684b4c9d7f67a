import type { Config } from "../config/config.ts";
import { openPostgres } from "./postgres.ts";
import type { PostgresDeadlines } from "./postgres-pool.ts";
import { openSqlite } from "./sqlite.ts";
import type { ObserveSql, Storage } from "./storage.ts";
import type { LogParts } from "./write-ahead-log.ts";

/** What a database is opened with. */
export interface StorageParts extends LogParts {
  observeSql?: ObserveSql | undefined;
}

/** Opens the database that the configuration names, migrated and ready. */
export function openStorage(config: Config, parts: StorageParts, deadlines?: PostgresDeadlines): Promise<Storage> {
  const { distributed, dataDir } = config;
  return distributed ? openPostgres(distributed.databaseUrl, parts, deadlines) : openSqlite(dataDir, parts);
}
