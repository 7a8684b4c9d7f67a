import type { Config } from "../config/config.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";
import type { Storage } from "./storage.ts";
import type { LogParts } from "./write-ahead-log.ts";

/** Opens the database that the configuration names, migrated and ready. */
export function openStorage(config: Config, parts: LogParts): Promise<Storage> {
  return config.distributed
    ? openPostgres(config.distributed.databaseUrl, parts.log)
    : openSqlite(config.dataDir, parts);
}
