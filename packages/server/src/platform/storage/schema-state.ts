import { existsSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import pg from "pg";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/config-error.ts";
import { LATEST_MIGRATION } from "./migrate.ts";
import { parsePostgresAddress } from "./postgres/postgres-address.ts";
import { Primary } from "./postgres/primary.ts";
import { DATABASE_FILE } from "./sqlite/sqlite.ts";

/** Whether the database exists and has the schema of this version. Determined without writing. */
export type SchemaState = "absent" | "other" | "current";

const LATEST = "select max(name) as latest from kysely_migration";

/** @throws ConfigError when PostgreSQL does not answer. */
export async function schemaState({ distributed, dataDir }: Config): Promise<SchemaState> {
  return distributed === null
    ? stateOfSqlite(join(dataDir, DATABASE_FILE))
    : await stateOfPostgres(distributed.databaseUrl);
}

function stateOfSqlite(path: string): SchemaState {
  if (!existsSync(path)) return "absent";
  const database = new Database(path, { readonly: true });
  try {
    const tables = database.prepare("select name from sqlite_master where name = 'kysely_migration'").all();
    return tables.length === 0 ? "absent" : stateOf(database.prepare(LATEST).get());
  } finally {
    database.close();
  }
}

async function stateOfPostgres(url: string): Promise<SchemaState> {
  const primary = new Primary(parsePostgresAddress(url));
  await primary.search();
  const client = new pg.Client({ connectionString: primary.url, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    const { rows } = await client.query("select to_regclass('kysely_migration') is not null as known");
    return rows[0]?.known === true ? stateOf((await client.query(LATEST)).rows[0]) : "absent";
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`PostgreSQL at PORTICO_DATABASE_URL does not answer: ${why}`);
  } finally {
    await client.end().catch(() => {});
  }
}

function stateOf(row: unknown): SchemaState {
  const latest = typeof row === "object" && row !== null && "latest" in row ? row.latest : null;
  if (latest === null) return "absent";
  return latest === LATEST_MIGRATION ? "current" : "other";
}
