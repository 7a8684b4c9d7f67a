import { copyFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { migrate } from "../../src/platform/storage/migrate.ts";
import { MIGRATIONS } from "../../src/platform/storage/migrations/migrations.ts";
import { BIGINTS_AS_NUMBERS } from "../../src/platform/storage/postgres/postgres-pool.ts";
import type { Db, Dialect, Schema } from "../../src/platform/storage/schema.ts";
import { DATABASE_FILE, defineSqlFunctions } from "../../src/platform/storage/sqlite/sqlite.ts";
import { SqliteConnection } from "../../src/platform/storage/sqlite/sqlite-connection.ts";
import type { Engine, EngineInstance } from "./engines.ts";

const SCRIPTS = fileURLToPath(new URL("../fixtures/stores/", import.meta.url));

/** The master key of these stores, and what was sealed under it: the secret of `cred_app_bot`. */
export const FIXTURE_KEY = "5e".repeat(32);
export const FIXTURE_SECRET = "the secret of app_bot ✓";

/** The versions of the schema that have a script, oldest first. */
export const VERSIONS = readdirSync(SCRIPTS)
  .filter((name) => name.endsWith(".sql"))
  .map((name) => name.slice(0, -".sql".length))
  .sort();

/** The database of an instance, without a service. */
export function openDatabase({ env }: EngineInstance): { db: Db; dialect: Dialect } {
  if (env.PORTICO_DATABASE_URL !== undefined) {
    const pool = new pg.Pool({ connectionString: env.PORTICO_DATABASE_URL, types: BIGINTS_AS_NUMBERS });
    // One that is lost while nobody uses it; its next use reports it.
    pool.on("error", () => {});
    return { db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }), dialect: "postgres" };
  }
  const database = new Database(join(env.PORTICO_DATA_DIR ?? "", DATABASE_FILE));
  database.pragma("journal_mode = wal");
  database.pragma("foreign_keys = on");
  defineSqlFunctions(database);
  return { db: new SqliteConnection(database).handle(), dialect: "sqlite" };
}

/**
 * Makes a database a store of an earlier version, with what versions up to it have written.
 *
 * @param before the version whose store it is already; absent for an empty one.
 */
export async function fillAs(
  version: string,
  { db, dialect }: { db: Db; dialect: Dialect },
  before = "",
): Promise<void> {
  const names = Object.keys(MIGRATIONS).filter((name) => before < name && name <= version);
  for (const name of names) {
    await migrate(db, dialect, name);
    const script = join(SCRIPTS, `${name}.sql`);
    if (!existsSync(script)) continue;
    for (const statement of readFileSync(script, "utf8").split(/;\n/)) {
      if (statement.trim() !== "") await sql.raw(statement).execute(db);
    }
  }
  if (dialect === "postgres") await setSequences(db);
}

/** The scripts name the ids, as a service does not. */
async function setSequences(db: Db): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = current_schema() and column_default like 'nextval%'`.execute(db);
  for (const { table, column } of rows) {
    await sql`select setval(pg_get_serial_sequence(${table}, ${column}), max(${sql.ref(column)})) from ${sql.table(table)}
      having max(${sql.ref(column)}) is not null`.execute(db);
  }
}

/** A copy of a store that nobody has open. */
export async function copyOf(engine: Engine, original: EngineInstance): Promise<EngineInstance> {
  const copy = await engine.create();
  const { PORTICO_DATABASE_URL: from, PORTICO_DATA_DIR: folder = "" } = original.env;
  const { PORTICO_DATABASE_URL: to, PORTICO_DATA_DIR: newFolder = "" } = copy.env;
  if (from === undefined || to === undefined) {
    copyFileSync(join(folder, DATABASE_FILE), join(newFolder, DATABASE_FILE));
    return copy;
  }
  const nameIn = (url: string) => new URL(url).pathname.slice(1);
  const client = new pg.Client({ connectionString: process.env.PORTICO_TEST_POSTGRES_URL });
  await client.connect();
  try {
    await client.query(`drop database ${nameIn(to)}`);
    await client.query(`create database ${nameIn(to)} template ${nameIn(from)} strategy file_copy`);
  } finally {
    await client.end();
  }
  return copy;
}

/** The rows of all tables that both engines have, as objects. */
export async function rowsOf(db: Db): Promise<Map<string, Record<string, unknown>[]>> {
  const tables = new Map<string, Record<string, unknown>[]>();
  for (const { name } of await db.introspection.getTables()) {
    if (/^(kysely_|search_|customer_search_index|sqlite_)/.test(name)) continue;
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db);
    tables.set(name, rows);
  }
  return tables;
}
