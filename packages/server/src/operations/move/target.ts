import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { ConfigError } from "../../platform/config/config-error.ts";
import { isKnownMigration, LATEST_MIGRATION, MOVE_TABLE, migrate } from "../../platform/storage/migrate.ts";
import { PROGRESS_TABLE } from "../../platform/storage/postgres/migrate-beside-others.ts";
import { parsePostgresAddress } from "../../platform/storage/postgres/postgres-address.ts";
import { Primary } from "../../platform/storage/postgres/primary.ts";
import type { Schema } from "../../platform/storage/schema.ts";

const CONNECT_WITHIN_MS = 10_000;
/** The entries of `meta` that migrations make. */
const MIGRATED = ["provisioning", "audit-head", "audit-anchor"];

/** Where PostgreSQL is, for a person: without user, password and parameters. */
export function describeTarget(url: string): string {
  const { urls } = parsePostgresAddress(url);
  const hosts = urls.map((one) => new URL(one).host).join(",");
  return `postgres://${hosts}${new URL(urls[0]).pathname}`;
}

/**
 * Connects to the server that takes writes.
 *
 * @throws ConfigError when it does not answer, or its texts are not UTF-8.
 */
export async function openTarget(url: string): Promise<pg.Client> {
  const primary = new Primary(parsePostgresAddress(url));
  await primary.search();
  const client = new pg.Client({ connectionString: primary.url, connectionTimeoutMillis: CONNECT_WITHIN_MS });
  // A connection that is lost fails the query that uses it next.
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ server_encoding: string }>("show server_encoding");
    const encoding = rows[0]?.server_encoding;
    if (encoding !== "UTF8") throw new Error(`the database has the encoding ${encoding}, and UTF8 is needed`);
    // Nothing counts before the end, which is synced; and each step tells in its own transaction how far it has come.
    await client.query("set synchronous_commit = off; set statement_timeout = 0; set jit = off");
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw new ConfigError(`the destination cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * Looks whether the destination is empty, or half filled by this move. Writes nothing.
 *
 * @throws ConfigError when it holds anything else, or has the schema of another version.
 */
export async function refuseUnusable(target: pg.Client, moveId: string): Promise<void> {
  const known = await moveIdAt(target);
  if (known === moveId) return;
  if (known !== null) {
    throw new ConfigError("another move into this database has begun and is not complete: use another database");
  }
  await refuseOtherVersion(target);
  await refuseFilled(target);
}

/**
 * Makes an empty destination ready for this move. Until the move is complete no service starts on it.
 *
 * @throws ConfigError when it is no longer empty.
 */
export async function claimTarget(target: pg.Client, url: string, moveId: string): Promise<void> {
  if ((await moveIdAt(target)) === moveId) return;
  const pool = new pg.Pool({ connectionString: await primaryOf(url), max: 1 });
  await using db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  await migrate(db, "postgres");
  await target.query("begin");
  try {
    await target.query("lock table meta in access exclusive mode");
    await refuseFilled(target);
    await target.query("delete from meta");
    // The links of the audit log are moved, not made anew.
    await target.query("alter table audit_entries disable trigger user");
    await target.query(`create table ${MOVE_TABLE} (name text primary key, value text not null)`);
    await target.query(`insert into ${MOVE_TABLE} (name, value) values ('id', $1)`, [moveId]);
    await target.query("commit");
  } catch (error) {
    await target.query("rollback").catch(() => {});
    throw error;
  }
}

/** Which move into this database is not complete; null for none. */
export async function moveIdAt(target: pg.Client): Promise<string | null> {
  const { rows } = await target.query<{ known: boolean }>("select to_regclass($1) is not null as known", [MOVE_TABLE]);
  if (rows[0]?.known !== true) return null;
  const found = await target.query<{ value: string }>(`select value from ${MOVE_TABLE} where name = 'id'`);
  return found.rows[0]?.value ?? "";
}

/** Waits until all that was written is on the destination's disk: a commit that waits for it takes those before along. */
export async function makeDurable(target: pg.Client): Promise<void> {
  await target.query("set synchronous_commit = on");
  await target.query(`update ${MOVE_TABLE} set value = value`);
}

/** Lets services start on the destination. */
export async function releaseTarget(target: pg.Client): Promise<void> {
  await target.query("set synchronous_commit = on");
  await target.query(
    `begin; alter table audit_entries enable trigger user; drop table if exists ${MOVE_TABLE}; commit`,
  );
}

async function primaryOf(url: string): Promise<string> {
  const primary = new Primary(parsePostgresAddress(url));
  await primary.search();
  return primary.url;
}

async function refuseOtherVersion(target: pg.Client): Promise<void> {
  const newest = (await migrationsIn(target, "kysely_migration")).at(-1);
  const unknown = (await migrationsIn(target, PROGRESS_TABLE)).findLast((name) => !isKnownMigration(name));
  const other = newest === LATEST_MIGRATION ? unknown : (newest ?? unknown);
  if (other === undefined) return;
  throw new ConfigError(
    `the destination has the schema of another version of Portico (${other}): use an empty database`,
  );
}

/** The names in a table of migrations, in their order; none without the table. */
async function migrationsIn(target: pg.Client, table: string): Promise<string[]> {
  const { rows } = await target.query<{ known: boolean }>("select to_regclass($1) is not null as known", [table]);
  if (rows[0]?.known !== true) return [];
  return (await target.query<{ name: string }>(`select name from ${table}`)).rows.map(({ name }) => name).sort();
}

/** What the migrations have put into `meta` does not count, nor how far they have come. */
async function refuseFilled(target: pg.Client): Promise<void> {
  const { rows } = await target.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = quote_ident(current_schema())::regnamespace and relname not like 'kysely_%'
      and relname <> $1`,
    [PROGRESS_TABLE],
  );
  for (const { name } of rows) {
    const except = name === "meta" ? ` where name not in (${MIGRATED.map((one) => `'${one}'`).join(", ")})` : "";
    const { rowCount } = await target.query(`select 1 from ${name}${except} limit 1`);
    if (rowCount !== 0) {
      throw new ConfigError(`the destination is not empty (its table ${name} has rows): use an empty database`);
    }
  }
}
