import type { Config } from "../config/config.ts";
import { openPostgres } from "./postgres/postgres.ts";
import type { PostgresDeadlines } from "./postgres/postgres-pool.ts";
import { openSqlite } from "./sqlite/sqlite.ts";
import type { LogParts } from "./sqlite/write-ahead-log.ts";
import type { ObserveSql, Storage } from "./storage.ts";

/** What a database is opened with. */
export interface StorageParts extends LogParts {
  observeSql?: ObserveSql | undefined;
}

/** Opens the database that the configuration names, migrated and ready. */
export function openStorage(config: Config, parts: StorageParts, deadlines?: PostgresDeadlines): Promise<Storage> {
  const { distributed, dataDir } = config;
  return distributed ? openPostgres(distributed.databaseUrl, parts, deadlines) : openSqlite(dataDir, parts);
}
