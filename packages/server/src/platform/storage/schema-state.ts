import { existsSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import pg from "pg";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/config-error.ts";
import { LATEST_MIGRATION, versionOf } from "./migrate.ts";
import { parsePostgresAddress } from "./postgres/postgres-address.ts";
import { Primary } from "./postgres/primary.ts";
import { DATABASE_FILE } from "./sqlite/sqlite.ts";

/** Whether the database exists and has the schema of this version. Determined without writing. */
export type SchemaState = "absent" | "other" | "current";

const APPLIED = "select name from kysely_migration";

/** @throws ConfigError when PostgreSQL does not answer. */
export async function schemaState(config: Config): Promise<SchemaState> {
  const version = await schemaVersion(config);
  if (version === null) return "absent";
  return version === LATEST_MIGRATION ? "current" : "other";
}

/**
 * The newest migration of the database, up to which it has all; null when there is none, or it is empty. Determined
 * without writing.
 *
 * @throws ConfigError when PostgreSQL does not answer.
 */
export async function schemaVersion({ distributed, dataDir }: Config): Promise<string | null> {
  return distributed === null
    ? versionInSqlite(join(dataDir, DATABASE_FILE))
    : await versionInPostgres(distributed.databaseUrl);
}

function versionInSqlite(path: string): string | null {
  if (!existsSync(path)) return null;
  const database = new Database(path, { readonly: true });
  try {
    const tables = database.prepare("select name from sqlite_master where name = 'kysely_migration'").all();
    return tables.length === 0 ? null : versionOf(database.prepare<[], string>(APPLIED).pluck().all());
  } finally {
    database.close();
  }
}

async function versionInPostgres(url: string): Promise<string | null> {
  const primary = new Primary(parsePostgresAddress(url));
  await primary.search();
  const client = new pg.Client({ connectionString: primary.url, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    const { rows } = await client.query("select to_regclass('kysely_migration') is not null as known");
    if (rows[0]?.known !== true) return null;
    return versionOf((await client.query<{ name: string }>(APPLIED)).rows.map(({ name }) => name));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`PostgreSQL at PORTICO_DATABASE_URL does not answer: ${why}`);
  } finally {
    await client.end().catch(() => {});
  }
}
