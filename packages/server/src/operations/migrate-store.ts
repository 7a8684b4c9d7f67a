import { pino } from "pino";
import { ConfigError } from "../platform/config/config-error.ts";
import { loadConfig } from "../platform/config/load-config.ts";
import { openDataDir } from "../platform/disk/private-files.ts";
import { isKnownMigration, LATEST_MIGRATION } from "../platform/storage/migrate.ts";
import { openStorage } from "../platform/storage/open-storage.ts";
import { schemaVersion } from "../platform/storage/schema-state.ts";
import { lockDataDir } from "../platform/storage/sqlite/instance-lock.ts";

/** The schema of a database, by its newest migration. */
export interface SchemaReport {
  /** Null: there is no database yet, or an empty one. */
  from: string | null;
  /** What this version of Portico has. */
  to: string;
}

/**
 * What {@link migrateStore} would do. Writes nothing.
 *
 * @throws ConfigError when the database cannot be read, or a newer version has migrated it.
 */
export async function checkMigration(env: NodeJS.ProcessEnv): Promise<SchemaReport> {
  const from = await schemaVersion(loadConfig(env));
  if (from !== null && !isKnownMigration(from)) {
    throw new ConfigError(`a newer version of Portico has migrated the database (to ${from}): use that version`);
  }
  return { from, to: LATEST_MIGRATION ?? "" };
}

/**
 * Brings the database to this version's schema, as a start would. An embedded service must not be running.
 *
 * @throws ConfigError with a message for the operator.
 */
export async function migrateStore(env: NodeJS.ProcessEnv): Promise<SchemaReport> {
  const config = loadConfig(env);
  const log = pino({ level: "warn" }, pino.destination(2));
  await using opened = new AsyncDisposableStack();
  await openDataDir(config.dataDir, log);
  if (config.distributed === null) opened.adopt(lockDataDir(config.dataDir), (lock) => lock.release());
  const from = await schemaVersion(config);
  opened.adopt(await openStorage(config, { log }), (open) => open.close());
  return { from, to: LATEST_MIGRATION ?? "" };
}
