import { join } from "node:path";
import Database from "better-sqlite3";
import pg from "pg";
import { pino } from "pino";
import { openPostgres } from "../../src/platform/storage/postgres/postgres.ts";
import { DATABASE_FILE, openSqlite } from "../../src/platform/storage/sqlite/sqlite.ts";

const DATABASE = "portico_template";
const parts = { log: pino({ level: "silent" }) };

/**
 * Lets the service migrate an empty file in `dir` and, given the address of a PostgreSQL server, an empty database
 * there. `Engine.create` copies them, because a migration takes longer than most tests. Returns environment variables
 * with their places.
 */
export async function makeTemplates(dir: string, postgresUrl: string | undefined): Promise<Record<string, string>> {
  const [sqlite, postgres] = await Promise.all([makeFile(dir), postgresUrl ? makeDatabase(postgresUrl) : {}]);
  return { ...sqlite, ...postgres };
}

async function makeFile(dir: string): Promise<Record<string, string>> {
  await (await openSqlite(dir, parts)).close();
  const path = join(dir, DATABASE_FILE);
  emptyLog(path);
  return { PORTICO_TEST_SQLITE_TEMPLATE: path };
}

/** The service leaves what it has written last in the write-ahead log; without it the file is to be complete. */
function emptyLog(path: string): void {
  const database = new Database(path);
  database.pragma("wal_checkpoint(truncate)");
  database.close();
}

async function makeDatabase(postgresUrl: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  await client.query(`create database ${DATABASE}`).finally(() => client.end());
  const url = new URL(postgresUrl);
  url.pathname = `/${DATABASE}`;
  await (await openPostgres(url.href, parts)).close();
  return { PORTICO_TEST_POSTGRES_TEMPLATE: DATABASE };
}
