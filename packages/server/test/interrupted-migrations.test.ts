import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { describe, type TestContext, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Kysely, type KyselyPlugin, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { checkMigration, migrateStore } from "../src/operations/migrate-store.ts";
import { LATEST_MIGRATION, migrate, newerMigrations } from "../src/platform/storage/migrate.ts";
import type { Db, Schema } from "../src/platform/storage/schema.ts";
import { type EngineInstance, postgres } from "./support/engines.ts";
import { FIRST_RELEASE, fillTable } from "./support/large-store.ts";
import { noPrivateServices, privateService } from "./support/private-services.ts";
import { copyOf, fillAs, openDatabase } from "./support/versions.ts";

const PROGRAM = fileURLToPath(new URL("./support/migrate-in-process.ts", import.meta.url));
/** The interval, in statements, between the points at which a migration is broken off. */
const STEP = 9;
const WITHIN_MS = 30_000;

interface Store {
  instance: EngineInstance;
  db: Db;
  /** What is closed at the end of the test, the last first. */
  open: AsyncDisposableStack;
}

/** A store of the first release, or an empty one. */
async function storeOf(t: TestContext, version = FIRST_RELEASE): Promise<Store> {
  const open = new AsyncDisposableStack();
  t.after(() => open.disposeAsync());
  const instance = open.adopt(await postgres.create(), (made) => made.dispose());
  const db = openAgain({ instance, open });
  if (version !== "") await fillAs(version, { db, dialect: "postgres" });
  return { instance, db, open };
}

/** A further pool of connections to its database. */
function openAgain({ instance, open }: Omit<Store, "db">): Db {
  return open.adopt(openDatabase(instance).db, (db) => db.destroy());
}

async function connect({ instance, open }: Store): Promise<pg.Client> {
  const client = open.adopt(new pg.Client({ connectionString: instance.env.PORTICO_DATABASE_URL }), (one) => one.end());
  await client.connect();
  return client;
}

function startMigration({ instance: { env }, open }: Store): ChildProcess {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [PROGRAM], { env: { PATH, NODE_COMPILE_CACHE, ...env }, stdio: "ignore" });
  open.defer(() => void child.kill("SIGKILL"));
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + WITHIN_MS;
  while (!(await isSo())) {
    assert.ok(performance.now() < end, `not so within ${WITHIN_MS} ms: ${what}`);
    await setTimeout(20);
  }
}

/** The tables, columns, constraints, triggers and valid indexes of a database. */
async function schemaOf(db: Db): Promise<unknown[]> {
  const { rows } = await sql`
    select table_name as a, column_name as b, data_type || ' ' || is_nullable || coalesce(column_default, '') as c
      from information_schema.columns where table_schema = 'public'
    union all select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all select indrelid::regclass::text, indisvalid::text, pg_get_indexdef(indexrelid) from pg_index
      join pg_class on pg_class.oid = indexrelid where relnamespace = 'public'::regnamespace
    order by 1, 2, 3`.execute(db);
  return rows;
}

async function assertIsPresent(db: Db): Promise<void> {
  const fresh = await postgres.create("migrated");
  const { db: other } = openDatabase(fresh);
  try {
    const expected = await schemaOf(other);
    assert.ok(expected.length > 500);
    assert.deepEqual(await schemaOf(db), expected);
    const names = (of: Db) => sql`select name from kysely_migration order by name`.execute(of);
    assert.deepEqual((await names(db)).rows, (await names(other)).rows);
  } finally {
    await other.destroy();
    await fresh.dispose();
  }
}

const indexOf = async (db: Db, name: string) =>
  (
    await sql<{
      valid: boolean;
    }>`select indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`.execute(db)
  ).rows[0]?.valid ?? null;

const isBuilding = async (db: Db) =>
  (
    await sql`select 1 from pg_stat_activity where datname = current_database() and state = 'active'
    and query like 'create index concurrently%'`.execute(db)
  ).rows.length > 0;

describe("a migration of a distributed store", { skip: postgres.missing ?? false }, () => {
  test("that is killed half way leaves the version before at work, and is continued by the next", async (t) => {
    const store = await storeOf(t);
    const { instance, db } = store;
    const reader = await connect(store);
    await reader.query("begin; lock table audit_entries in access share mode");
    const migration = startMigration(store);
    const progress = async () => {
      const { rows } = await sql`select 1 where to_regclass('portico_migrating') is not null`.execute(db);
      if (rows.length === 0) return [];
      return (await sql<{ name: string }>`select name from portico_migrating order by name`.execute(db)).rows;
    };
    await until("the migration before that of the audit log has ended", async () => (await progress()).length === 3);
    await kill(migration);
    assert.deepEqual(await checkMigration(instance.env), { from: FIRST_RELEASE, to: LATEST_MIGRATION });
    assert.deepEqual(await newerMigrations(db, "postgres"), []);
    assert.deepEqual(
      (await progress()).map((row) => row.name),
      ["0025-second-factor", "0026-desk-names", "0027-sign-in-by-provider"],
    );
    // A version that does not know how far the other has come must not go on in its place.
    await sql`insert into portico_migrating values ('9999-later')`.execute(db);
    await assert.rejects(migrate(db, "postgres"), /newer version of Portico is migrating the database.*9999-later/);
    await sql`delete from portico_migrating where name = '9999-later'`.execute(db);

    const continued = migrateStore(instance.env);
    await setTimeout(500);
    await reader.query("rollback");
    await continued;
    assert.equal((await checkMigration(instance.env)).from, LATEST_MIGRATION);
    await assertIsPresent(db);
  });

  test("works in a schema whose name has to be quoted", async (t) => {
    const { instance, open } = await storeOf(t, "");
    const connectionString = `${instance.env.PORTICO_DATABASE_URL}?options=${encodeURIComponent('-c search_path="My-app"')}`;
    const pool = new pg.Pool({ connectionString });
    const db = open.adopt(new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }), (one) => one.destroy());
    await sql`create schema "My-app"`.execute(db);
    await migrate(db, "postgres");
    await migrate(db, "postgres");
    assert.deepEqual(await newerMigrations(db, "postgres"), []);
    const { rows } = await sql`select 1 from "My-app".messages limit 1`.execute(db);
    assert.deepEqual(rows, []);
  });

  test("is completed by the next start wherever it was broken off", async (t) => {
    const { instance, db } = await storeOf(t);
    await db.destroy();
    let isBrokenOff = true;
    for (let statements = 1; isBrokenOff; statements += STEP) {
      const copy = await copyOf(postgres, instance);
      try {
        isBrokenOff = await breakOffAfter(statements, copy);
        const { db: next } = openDatabase(copy);
        await migrate(next, "postgres");
        await assertIsPresent(next);
        await next.destroy();
      } finally {
        await copy.dispose();
      }
    }
  });

  test("does not wait for the vacuum of a large table, which begins anew", {
    skip: noPrivateServices ?? false,
  }, async (t) => {
    const server = await privateService(t, "postgres");
    if (server === null) return;
    const instance = { env: { PORTICO_DATA_DIR: "", PORTICO_DATABASE_URL: server.url }, dispose: async () => {} };
    await using open = new AsyncDisposableStack();
    const db = openAgain({ instance, open });
    await fillAs(FIRST_RELEASE, { db, dialect: "postgres" });
    for (const name of ["autovacuum = on", "autovacuum_naptime = '1s'"])
      await sql.raw(`alter system set ${name}`).execute(db);
    await sql`select pg_reload_conf()`.execute(db);
    // It would take hours.
    await sql`alter table audit_entries set (autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1,
      autovacuum_vacuum_insert_threshold = 10, autovacuum_vacuum_insert_scale_factor = 0)`.execute(db);
    await fillTable({ db, dialect: "postgres" }, "audit_entries", 100_000);
    const isVacuumed = async () =>
      (
        await sql`select 1 from pg_locks where relation = 'audit_entries'::regclass and granted
          and mode = 'ShareUpdateExclusiveLock'`.execute(db)
      ).rows.length > 0;
    await until("the table is vacuumed", isVacuumed);
    await migrate(db, "postgres");
    const { rows } = await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(db);
    assert.equal(rows[0]?.name, LATEST_MIGRATION);
  });

  for (const version of [FIRST_RELEASE, ""]) {
    test(`is done once by three processes that start at the same time (${version || "an empty database"})`, async (t) => {
      const store = await storeOf(t, version);
      const { env } = store.instance;
      await Promise.all([migrateStore(env), migrateStore(env), migrateStore(env)]);
      await assertIsPresent(store.db);
    });
  }

  test("builds an index anew that was left unfinished", async (t) => {
    const store = await storeOf(t);
    const { db } = store;
    const reader = await connect(store);
    await reader.query("begin isolation level repeatable read; select 1");
    const migration = startMigration(store);
    const ended = once(migration, "exit");
    await until(
      "the index is being built",
      async () => (await isBuilding(db)) && (await indexOf(db, "members_name")) === false,
    );
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
      and query like 'create index concurrently%'`.execute(db);
    assert.notEqual((await ended)[0], 0);
    assert.equal(await indexOf(db, "members_name"), false);
    await reader.query("rollback");
    await migrate(db, "postgres");
    assert.equal(await indexOf(db, "members_name"), true);
    await assertIsPresent(db);
  });

  test("waits for the index that the server still builds for a process that was killed", async (t) => {
    const store = await storeOf(t);
    const { db } = store;
    const reader = await connect(store);
    await reader.query("begin isolation level repeatable read; select 1");
    const migration = startMigration(store);
    await until(
      "the index is being built",
      async () => (await isBuilding(db)) && (await indexOf(db, "members_name")) === false,
    );
    await kill(migration);
    const next = migrateStore(store.instance.env);
    await setTimeout(500);
    assert.equal(await isBuilding(db), true);
    // Who writes does not wait for either.
    await reader.query("update members set name = 'Alice still' where user_id = 'u_alice'");
    await reader.query("commit");
    await next;
    await assertIsPresent(db);
  });

  test("says what to do when the connection does not give the building of an index its time", async (t) => {
    const store = await storeOf(t);
    const { instance, db } = store;
    const reader = await connect(store);
    await reader.query("begin isolation level repeatable read; select 1");
    // Behind a pooler that of the role or the database counts.
    await sql
      .raw(
        `alter database ${new URL(instance.env.PORTICO_DATABASE_URL ?? "").pathname.slice(1)} set statement_timeout = 400`,
      )
      .execute(db);
    const env = { ...instance.env, PORTICO_DATABASE_URL: `${instance.env.PORTICO_DATABASE_URL}?pooler=transaction` };
    const failed = await migrateStore(env).catch((error: unknown) => error);
    assert.ok(failed instanceof Error && failed.cause instanceof Error);
    assert.match(failed.cause.message, /members_name after the statement_timeout .*without a pooler/);
    await reader.query("rollback");
    await migrate(db, "postgres");
    await assertIsPresent(db);
  });
});

/** Migrates until so many statements have been sent. False when it ended before. */
async function breakOffAfter(statements: number, { env }: EngineInstance): Promise<boolean> {
  let left = statements;
  const mortal: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (left-- <= 0) throw new Error("killed");
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const pool = new pg.Pool({ connectionString: env.PORTICO_DATABASE_URL });
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), plugins: [mortal] });
  await migrate(db, "postgres").catch(() => {});
  await db.destroy();
  return left < 0;
}
