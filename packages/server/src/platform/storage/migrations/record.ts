import { sql } from "kysely";
import type { Db, Dialect } from "../schema.ts";

/** That of Kysely's migrator, which earlier versions used. */
const TABLE = "kysely_migration";

/** The migrations that are recorded as applied; none in an empty database. */
export async function recordedMigrations(db: Db, dialect: Dialect): Promise<string[]> {
  if (!(await hasTable(db, TABLE, dialect))) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(TABLE)}`.execute(db);
  return rows.map(({ name }) => name);
}

/** Unlike `to_regclass`, sees what another process has committed since this transaction began. */
export async function hasTable(db: Db, name: string, dialect: Dialect): Promise<boolean> {
  const found =
    dialect === "sqlite"
      ? sql`select 1 from sqlite_master where name = ${name}`
      : sql`select 1 from pg_catalog.pg_class where relname = ${name} and relnamespace = quote_ident(current_schema())::regnamespace`;
  return (await found.execute(db)).rows.length > 0;
}

/** Records migrations that have run, none of which is recorded. */
export async function recordMigrations(tx: Db, names: readonly string[], dialect: Dialect): Promise<void> {
  await tx.schema
    .createTable(TABLE)
    .ifNotExists()
    .addColumn("name", "varchar(255)", (column) => column.notNull().primaryKey())
    .addColumn("timestamp", "varchar(255)", (column) => column.notNull())
    .execute();
  const now =
    dialect === "sqlite"
      ? sql<string>`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`
      : sql<string>`to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  await tx
    .withTables<{ kysely_migration: { name: string; timestamp: string } }>()
    .insertInto("kysely_migration")
    .values(names.map((name) => ({ name, timestamp: now })))
    .execute();
}
