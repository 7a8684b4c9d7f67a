import { existsSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/config-error.ts";
import { parsePostgresAddress } from "./postgres/postgres-address.ts";
import { BIGINTS_AS_NUMBERS } from "./postgres/postgres-pool.ts";
import { Primary } from "./postgres/primary.ts";
import type { Db, Dialect, Schema } from "./schema.ts";
import { schemaState } from "./schema-state.ts";
import { DATABASE_FILE } from "./sqlite/sqlite.ts";
import { SqliteConnection, sqliteHandle } from "./sqlite/sqlite-connection.ts";

const BUSY_TIMEOUT_MS = 30_000;

/** The configured database, for a command that looks at it while services use it. */
export interface ReadOnlyStorage {
  readonly dialect: Dialect;
  readonly db: Db;
  close(): Promise<void>;
}

/**
 * Opens the configured database so that nothing can be written to it.
 *
 * @throws ConfigError when there is none, or it has another version's schema.
 */
export async function openReadOnly(config: Config): Promise<ReadOnlyStorage> {
  const state = await schemaState(config);
  if (state === "absent")
    throw new ConfigError("there is no database where the configuration says: nothing was looked at");
  if (state === "other") {
    throw new ConfigError("the database has the schema of another version of Portico: run that version's command");
  }
  if (config.distributed !== null) return await openPostgres(config.distributed.databaseUrl);
  return openSqlite(join(config.dataDir, DATABASE_FILE));
}

function openSqlite(path: string): ReadOnlyStorage {
  if (!existsSync(path)) throw new ConfigError(`there is no ${path}`);
  const database = new Database(path, { readonly: true, timeout: BUSY_TIMEOUT_MS });
  const db = sqliteHandle(new SqliteConnection(database), () => void database.close());
  return { dialect: "sqlite", db, close: () => db.destroy() };
}

async function openPostgres(url: string): Promise<ReadOnlyStorage> {
  const primary = new Primary(parsePostgresAddress(url));
  await primary.search();
  const pool = new pg.Pool({
    connectionString: primary.url,
    max: 1,
    options: "-c default_transaction_read_only=on -c jit=off",
    types: BIGINTS_AS_NUMBERS,
  });
  // A connection that breaks while nobody uses it; its next use reports it.
  pool.on("error", () => {});
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return { dialect: "postgres", db, close: () => db.destroy() };
}
