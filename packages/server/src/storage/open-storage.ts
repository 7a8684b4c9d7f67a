import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";
import type { Storage } from "./storage.ts";

/** Opens the database that the configuration names, migrated and ready. */
export function openStorage(config: Config, log: Logger): Promise<Storage> {
  return config.distributed ? openPostgres(config.distributed.databaseUrl, log) : openSqlite(config.dataDir, log);
}
