import { setTimeout } from "node:timers/promises";
import { sql } from "kysely";
import { ConfigError } from "../../config/config-error.ts";
import type { Migration } from "../migrations/migrations.ts";
import { hasTable, recordedMigrations, recordMigrations } from "../migrations/record.ts";
import type { Db } from "../schema.ts";
import { buildConcurrently } from "./concurrent-index.ts";
import { hasCode } from "./outages.ts";

/**
 * Names the migrations that have run, while others are still to come; it goes with the last. Until then `kysely_migration`
 * says nothing of them, so that processes of the version before go on and no service of this one starts.
 */
export const PROGRESS_TABLE = "portico_migrating";

/** The most that a migration waits for a lock, for meanwhile others wait behind it. One may need several, one after another. */
const LOCK_TIMEOUT_MS = 200;
/** Then it is rolled back and begins anew after a pause, until somebody has to look into it. */
const PAUSE_MS = 1_000;
const GIVE_UP_AFTER_MS = 10 * 60_000;
/** Twice as long as a vacuum that is in somebody's way usually goes on (`deadlock_timeout`). */
const VACUUM_TIMEOUT_MS = 2_000;
/** Meanwhile another process may build the same index. */
const GIVE_UP_BUILDING_AFTER_MS = 60 * 60_000;
/** PostgreSQL's codes for a lock that was not available, and for a deadlock. */
const LOCKED = new Set<unknown>(["55P03", "40P01"]);
/** The advisory lock of Kysely's migrator, which earlier versions used. It is held for one migration at a time. */
const MIGRATION_LOCK = 3853314791062309107n;

/**
 * Runs migrations while others work: each in a transaction of its own, which ends as soon as it has to wait. Several processes
 * may do so at once, and one that was killed is continued by the next.
 *
 * @param migrations all of them, in their order.
 * @throws an error of PostgreSQL when a lock was not to be had for ten minutes; ConfigError when a newer version is doing this.
 */
export async function migrateBesideOthers(
  db: Db,
  migrations: readonly (readonly [name: string, Migration])[],
): Promise<void> {
  const names = migrations.map(([name]) => name);
  if ((await unrecorded(db, names)).length === 0) return;
  const due = await alone(db, (tx) => pending(tx, names));
  for (const [name, { up, indexes = [] }] of migrations.filter(([each]) => due.includes(each))) {
    // Another process may have done it meanwhile.
    const isDue = async (tx: Db) => (await pending(tx, names)).includes(name);
    for (const index of indexes) {
      const isMissing = async (tx: Db) => {
        await takeTurn(tx);
        return await isDue(tx);
      };
      const build = () => buildConcurrently(db, index, isMissing);
      await patiently(build, { giveUpAfterMs: GIVE_UP_BUILDING_AFTER_MS });
    }
    await alone(db, async (tx) => {
      if (!(await isDue(tx))) return;
      await up(tx, "postgres");
      await sql`create table if not exists ${sql.table(PROGRESS_TABLE)} (name text primary key)`.execute(tx);
      await sql`insert into ${sql.table(PROGRESS_TABLE)} (name) values (${name})`.execute(tx);
    });
  }
  await alone(db, async (tx) => {
    const missing = await unrecorded(tx, names);
    if (missing.length === 0) return;
    const left = await pending(tx, names);
    if (left.length > 0) throw new Error(`somebody has removed ${PROGRESS_TABLE}, and with it that ${left[0]} had run`);
    await recordMigrations(tx, missing, "postgres");
    await tx.schema.dropTable(PROGRESS_TABLE).execute();
  });
}

/** Those that have neither run nor been recorded; asked in one's turn, as the last of them removes the table. */
async function pending(db: Db, names: readonly string[]): Promise<string[]> {
  if (!(await hasTable(db, PROGRESS_TABLE, "postgres"))) return await unrecorded(db, names);
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(PROGRESS_TABLE)}`.execute(db);
  const done = rows.map(({ name }) => name);
  const newer = done.filter((name) => !names.includes(name));
  if (newer.length > 0) {
    const why = `a newer version of Portico is migrating the database (it has done ${newer.join(", ")})`;
    throw new ConfigError(`${why}: use that version`);
  }
  return (await unrecorded(db, names)).filter((name) => !done.includes(name));
}

async function unrecorded(db: Db, names: readonly string[]): Promise<string[]> {
  const recorded = await recordedMigrations(db, "postgres");
  return names.filter((name) => !recorded.includes(name));
}

/** Runs a unit in a transaction, one process at a time. */
async function alone<Result>(db: Db, unit: (tx: Db) => Promise<Result>): Promise<Result> {
  const attempt = async (tx: Db) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(tx);
    await takeTurn(tx);
    return await unit(tx);
  };
  const work = () => db.transaction().execute(attempt);
  return await patiently(work, { giveUpAfterMs: GIVE_UP_AFTER_MS, between: () => interruptVacuums(db) });
}

/** Until the end of the transaction no other process migrates. */
async function takeTurn(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(tx);
}

interface Patience {
  giveUpAfterMs: number;
  /** What is done before each further attempt. */
  between?: () => Promise<void>;
}

/** Tries again while somebody holds a lock that the work needs, such as `pg_dump` or another process that migrates. */
async function patiently<Result>(work: () => Promise<Result>, { giveUpAfterMs, between }: Patience): Promise<Result> {
  for (const began = performance.now(); ; ) {
    try {
      return await work();
    } catch (error) {
      if (!hasCode(error, LOCKED) || performance.now() - began > giveUpAfterMs) throw error;
    }
    await setTimeout(PAUSE_MS);
    await between?.();
  }
}

/**
 * Has PostgreSQL's own vacuum of a large table, which may take hours, let go of it. It does so for who has waited for a second,
 * but a migration never waits so long, as others wait behind it; nobody waits behind who asks for the lock of a vacuum.
 */
async function interruptVacuums(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`select distinct relname as name from pg_locks
    join pg_class on pg_class.oid = pg_locks.relation
    where mode = 'ShareUpdateExclusiveLock' and granted and relkind = 'r' and relnamespace = quote_ident(current_schema())::regnamespace
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
  for (const { name } of rows) {
    const waited = db.transaction().execute(async (tx) => {
      await sql`set local lock_timeout = ${sql.lit(VACUUM_TIMEOUT_MS)}`.execute(tx);
      await sql`lock table ${sql.table(name)} in share update exclusive mode`.execute(tx);
    });
    await waited.catch((error: unknown) => {
      if (!hasCode(error, LOCKED)) throw error;
    });
  }
}
