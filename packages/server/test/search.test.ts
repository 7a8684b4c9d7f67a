import assert from "node:assert/strict";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { listInstallableMembers } from "../src/domain/applications/installations/installation-store.ts";
import { listVisitors } from "../src/domain/customer-service/visitor-lists.ts";
import { listMembers } from "../src/domain/directory/member-store.ts";
import { up as foundation } from "../src/platform/storage/migrations/0001-foundation.ts";
import { up as botMessages } from "../src/platform/storage/migrations/0002-bot-messages.ts";
import { up as events } from "../src/platform/storage/migrations/0003-events.ts";
import { up as developerConsole } from "../src/platform/storage/migrations/0004-console.ts";
import { up as consoleLife } from "../src/platform/storage/migrations/0005-console-life.ts";
import { up as customerService } from "../src/platform/storage/migrations/0006-customer-service.ts";
import { up as search } from "../src/platform/storage/migrations/0008-search.ts";
import { up as memberErasures } from "../src/platform/storage/migrations/0032-member-erasures.ts";
import type { Db, Schema } from "../src/platform/storage/schema.ts";
import { MAX_FOUND } from "../src/platform/storage/search/search.ts";
import { toSmallLetters } from "../src/platform/storage/search/small-letters.ts";
import { defineSqlFunctions } from "../src/platform/storage/sqlite/sqlite.ts";
import { SqliteConnection } from "../src/platform/storage/sqlite/sqlite-connection.ts";
import { consoleAcme } from "./support/console.ts";
import { type EngineInstance, onBothEngines } from "./support/engines.ts";
import { serviceApp } from "./support/widget.ts";
import { suiteWorld, type World } from "./support/world.ts";

const APP = "app_shop";
const OTHER = "app_other";

/** Characters with a special meaning for an index, a pattern or a query, and ordinary ones. */
const signs = [
  "a",
  "A",
  "b",
  "0",
  "安",
  "李",
  "É",
  "é",
  "😀",
  " ",
  "%",
  "_",
  "\\",
  "'",
  '"',
  "*",
  ":",
  "&",
  "-",
  "\uE01F",
];
const text = fc.string({ unit: fc.constantFrom(...signs), maxLength: 8 });
const keyword = fc.string({ unit: fc.constantFrom(...signs), minLength: 1, maxLength: 5 });

const row = (visitorId: string, nickname: string, appId = APP) => ({
  visitor_id: visitorId,
  app_id: appId,
  third_user_id: `c-${visitorId}`,
  nickname,
  status: 1,
});

async function addVisitors(world: World, rows: ReturnType<typeof row>[]): Promise<void> {
  const { storage } = world.portico.ctx;
  for (let first = 0; first < rows.length; first += 500) {
    await storage.write(async (tx) => {
      await tx
        .insertInto("visitors")
        .values(rows.slice(first, first + 500))
        .execute();
    });
  }
}

function found(world: World, sought: string, { appId = APP, page = 1, pageSize = 100 } = {}) {
  const { lists, dialect } = world.portico.ctx.storage;
  return listVisitors(lists, dialect, appId, { keyword: sought, page, pageSize });
}

const idsOf = ({ rows }: { rows: { visitorId: string }[] }) => rows.map(({ visitorId }) => visitorId).sort();

onBothEngines("search", (engine, test) => {
  const world = suiteWorld(engine, consoleAcme(serviceApp(APP), serviceApp(OTHER)));

  test("finds exactly the rows that contain the keyword, whatever characters it has", async () => {
    const nicknames = fc.sample(text, { numRuns: 80, seed: 1 });
    const rows = nicknames.map((nickname, index) => row(`v_${index}`, nickname));
    await addVisitors(world(), rows);
    const holds = (part: string) => {
      const small = toSmallLetters(part);
      return rows.filter((one) =>
        [one.visitor_id, one.third_user_id, one.nickname].some((one) => toSmallLetters(one).includes(small)),
      );
    };
    await fc.assert(
      fc.asyncProperty(keyword, async (sought) => {
        const expected = holds(sought).map(({ visitor_id }) => visitor_id);
        const answer = await found(world(), sought);
        assert.deepEqual(idsOf(answer), expected.sort());
        assert.equal(answer.total, expected.length);
      }),
      { numRuns: 60, seed: 1 },
    );
  });
  if (engine.name === "postgres") {
    test("uses one process of the server, without parallel workers and without compilation", async () => {
      const { lists } = world().portico.ctx.storage;
      const { rows } = await sql`select current_setting('max_parallel_workers_per_gather') as workers,
        current_setting('jit') as jit`.execute(lists);
      assert.deepEqual(rows, [{ workers: "0", jit: "off" }]);
    });
  }

  test("rows of other applications are neither found nor counted", async () => {
    await addVisitors(world(), [row("v_theirs", "Margaret", OTHER), row("v_ours", "Margaret")]);
    assert.deepEqual(idsOf(await found(world(), "margaret")), ["v_ours"]);
    assert.deepEqual(idsOf(await found(world(), "margaret", { appId: OTHER })), ["v_theirs"]);
  });
  test("a visitor is found by the current name, and only once", async () => {
    const { storage } = world().portico.ctx;
    await addVisitors(world(), [row("v_named", "Wilhelmina")]);
    const rename = (nickname: string) =>
      storage.write(async (tx) => {
        await tx.updateTable("visitors").set({ nickname }).where("visitor_id", "=", "v_named").execute();
      });
    for (const name of ["Theodora", "Theodora", "Theo"]) await rename(name);
    assert.deepEqual(idsOf(await found(world(), "wilhelm")), []);
    assert.deepEqual(idsOf(await found(world(), "theo")), ["v_named"]);
    assert.deepEqual(idsOf(await found(world(), "theodora")), []);
    const failed = storage.write(async (tx) => {
      await tx.updateTable("visitors").set({ nickname: "Undone" }).where("visitor_id", "=", "v_named").execute();
      throw new Error("undone");
    });
    await assert.rejects(failed, /undone/);
    assert.deepEqual(idsOf(await found(world(), "undone")), []);
  });
  test("of more matches than are listed, the first in the list's order are listed", async () => {
    const many = Array.from({ length: MAX_FOUND + 100 }, (_, index) => row(`m_${10_000 + index}`, "Numerous"));
    await addVisitors(world(), many);
    const { rows, total } = await found(world(), "numerous");
    assert.equal(total, MAX_FOUND);
    assert.deepEqual([rows[0]?.visitorId, rows.length], [`m_${10_000 + MAX_FOUND + 99}`, 100]);
    const last = await found(world(), "numerous", { page: 4, pageSize: 300 });
    assert.deepEqual([last.rows.length, last.rows.at(-1)?.visitorId], [100, "m_10100"]);
    assert.deepEqual((await found(world(), "numerous", { page: 11 })).rows, []);
  });
  test("members are offered by account and name, not by other searchable fields", async () => {
    const { storage } = world().portico.ctx;
    const member = (userId: string, phone: string | null, disabled = 0) => ({
      user_id: userId,
      tenant_id: "t_acme",
      username: userId.replace("u_", ""),
      name: "Quentin",
      password_hash: null,
      phone,
      disabled,
    });
    await storage.write(async (tx) => {
      const members = [member("u_qa", "13977770001"), member("u_qb", null), member("u_qc", null, 1)];
      await tx.insertInto("members").values(members).execute();
    });
    const offered = (sought: string) =>
      listInstallableMembers(
        storage.lists,
        storage.dialect,
        { appId: APP, tenantId: "t_acme" },
        { keyword: sought, limit: 10 },
      );
    assert.deepEqual(
      (await offered("quen")).map(({ username }) => username),
      ["qa", "qb"],
    );
    assert.deepEqual(await offered("1397777"), []);
    const listed = await listMembers(storage.lists, storage.dialect, "t_acme", {
      keyword: "1397777",
      page: 1,
      pageSize: 10,
    });
    assert.deepEqual(
      listed.items.map(({ userId }) => userId),
      ["u_qa"],
    );
  });
});

onBothEngines("the search index of existing rows", (engine, test) => {
  test("contains all of them, and its creation can be repeated after an interruption", async () => {
    const instance = await engine.create();
    const { db, close } = engine.name === "sqlite" ? openSqlite(instance) : openPostgres(instance);
    for (const up of [foundation, botMessages, events, developerConsole, consoleLife, customerService]) {
      await up(db, engine.name);
    }
    await db.insertInto("tenants").values({ tenant_id: "t_1", name: "东方" }).execute();
    const member = { tenant_id: "t_1", name: "李安", phone: null };
    await db
      .insertInto("members")
      .values([
        { ...member, user_id: "u_1", username: "ang" },
        { ...member, user_id: "u_2", username: "other", name: "Other" },
      ])
      .execute();
    // Like the migrator: in a transaction on PostgreSQL, without one on SQLite.
    if (engine.name === "postgres") await db.transaction().execute((tx) => search(tx, engine.name));
    else for (let tries = 0; tries < 2; tries++) await search(db, engine.name);
    // Erased members are not listed.
    await memberErasures(db);
    const { items, total } = await listMembers(db, engine.name, "t_1", { keyword: "李安", page: 1, pageSize: 10 });
    assert.deepEqual([total, items.map(({ userId }) => userId)], [1, ["u_1"]]);
    await close();
    await instance.dispose();
  });
});

function openSqlite({ env }: EngineInstance): { db: Db; close(): Promise<void> } {
  const database = new Database(join(env.PORTICO_DATA_DIR ?? "", "portico.db"));
  defineSqlFunctions(database);
  const db = new SqliteConnection(database).handle();
  return { db, close: () => db.destroy() };
}

function openPostgres({ env }: EngineInstance): { db: Db; close(): Promise<void> } {
  const pool = new pg.Pool({ connectionString: env.PORTICO_DATABASE_URL });
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return { db, close: () => db.destroy() };
}
