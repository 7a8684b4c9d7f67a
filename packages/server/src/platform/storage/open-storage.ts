import type { Config } from "../config/config.ts";
import { openPostgres } from "./postgres/postgres.ts";
import type { PostgresDeadlines } from "./postgres/postgres-deadlines.ts";
import { openSqlite } from "./sqlite/sqlite.ts";
import type { Storage } from "./storage.ts";
import type { StorageParts } from "./storage-parts.ts";

/** Opens the configured database and migrates it. */
export function openStorage(config: Config, parts: StorageParts, deadlines?: PostgresDeadlines): Promise<Storage> {
  const { distributed, dataDir } = config;
  return distributed ? openPostgres(distributed.databaseUrl, parts, deadlines) : openSqlite(dataDir, parts);
}
