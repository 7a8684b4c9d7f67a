import { join } from "node:path";
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
  return { PORTICO_TEST_SQLITE_TEMPLATE: join(dir, DATABASE_FILE) };
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
