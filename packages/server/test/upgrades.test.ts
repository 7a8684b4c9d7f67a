import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after } from "node:test";
import { checkStore } from "../src/operations/check-store/check-store.ts";
import { checkMigration, migrateStore } from "../src/operations/migrate-store.ts";
import { LATEST_MIGRATION } from "../src/platform/storage/migrate.ts";
import { select } from "../src/platform/storage/search/search.ts";
import { credentialsOf, MESSAGES, textBody } from "./support/acme.ts";
import { type EngineInstance, onBothEngines } from "./support/engines.ts";
import { send, sendSigned } from "./support/http.ts";
import { copyOf, FIXTURE_KEY, FIXTURE_SECRET, fillAs, openDatabase, rowsOf, VERSIONS } from "./support/versions.ts";
import { World } from "./support/world.ts";

/** The versions on whose stores a service is run with PostgreSQL too; with SQLite, where that takes less, on all. */
const RUN_ON_POSTGRES = new Set(["0001", "0006", "0017", "0024"]);
/** Columns that a later version named anew. */
const RENAMED: Record<string, string> = { agent_id: "agent_user_id" };
/** What a later version worked out about a row that was there. */
const WORKED_OUT = new Set(["disabled_reason", "first_installed_at"]);

/** Brings a store from one of these versions to the next, and closes it. Returns what is in it. */
async function grow(instance: EngineInstance, version: string, before: string) {
  const database = openDatabase(instance);
  try {
    await fillAs(version, database, before);
    return await rowsOf(database.db);
  } finally {
    await database.db.destroy();
  }
}

onBothEngines("a store of an earlier version", (engine, test) => {
  let growing: EngineInstance | null = null;
  after(() => growing?.dispose());

  for (const [index, version] of VERSIONS.entries()) {
    test(`${version} is brought to the present with all that is in it, and a service runs on it`, async (t) => {
      growing ??= await engine.create();
      const before = await grow(growing, version, VERSIONS[index - 1] ?? "");
      const instance = await copyOf(engine, growing);
      t.after(() => instance.dispose());
      instance.env.PORTICO_MASTER_KEY = FIXTURE_KEY;
      assert.equal((await checkMigration(instance.env)).from, version);
      await migrateStore(instance.env);
      const database = openDatabase(instance);
      const upgraded = await rowsOf(database.db);
      await database.db.destroy();
      for (const [table, rows] of before) assertKept(table, rows, upgraded.get(table) ?? []);
      assertWorkedOut(version, upgraded);
      assert.deepEqual(await checkMigration(instance.env), { from: LATEST_MIGRATION, to: LATEST_MIGRATION });

      if (engine.name === "postgres" && !RUN_ON_POSTGRES.has(version.slice(0, 4))) return;
      const blob = join(instance.env.PORTICO_DATA_DIR ?? "", "blobs", "aa", "a".repeat(48));
      mkdirSync(join(blob, ".."), { recursive: true });
      writeFileSync(blob, "");
      const world = await World.on(engine, { env: instance.env, dispose: async () => {} }, null);
      t.after(() => world.dispose());
      await assertRuns(world, version);
      assert.deepEqual((await checkStore(instance.env, { contents: true })).findings, []);
    });
  }
});

/** Each row is there still, with the same values. */
function assertKept(
  table: string,
  before: readonly Record<string, unknown>[],
  after: readonly Record<string, unknown>[],
) {
  for (const row of before) {
    const expected = Object.entries(row)
      .filter(([column]) => !WORKED_OUT.has(column))
      .map(([column, value]) => [RENAMED[column] ?? column, value] as const);
    const isThere = after.some((other) =>
      expected.every(([column, value]) => (column in other ? other[column] === value : column in RENAMED)),
    );
    assert.ok(isThere, `${table} has lost ${JSON.stringify(row)}`);
  }
}

/** What migrations make of rows that they find. */
function assertWorkedOut(version: string, after: ReadonlyMap<string, Record<string, unknown>[]>) {
  const all = (table: string) => after.get(table) ?? [];
  const entities = all("provisioned").map(({ entity }) => entity);
  if (version < "0007")
    assert.ok(["tenant:t_acme", "member:u_alice", "app:app_bot"].every((one) => entities.includes(one)));
  if (version < "0009") assert.ok(all("installations").every((row) => row.first_installed_at === row.installed_at));
  if (version >= "0005" && version < "0016") {
    assert.equal(all("apps").find(({ app_id }) => app_id === "app_off")?.disabled_reason, "it sends 垃圾");
  }
  const [hook] = all("subscriptions").filter(({ event_type }) => event_type === "im.message.receive_v1");
  if (version >= "0003") assert.equal(hook?.transport, "WEBHOOK");
  if (version >= "0006") {
    assert.equal(all("customer_messages").find(({ message_id }) => message_id === 2)?.agent_user_id, "u_bob");
  }
}

/** Secrets open, numbers go on, tokens hold, and what was there is found. */
async function assertRuns(world: World, version: string) {
  const timestamp = world.clock.now();
  const body = textBody("after the upgrade");
  const call = { method: "POST", target: MESSAGES, timestamp, body };
  const sent = await sendSigned(world.url, { ...credentialsOf("app_bot"), appSecret: FIXTURE_SECRET }, call);
  assert.equal(sent.status, 200, sent.text);
  assert.equal(sent.json.value.msgSeq, version < "0002" ? 3 : 5);
  const headers = { authorization: "Bearer a-token-of-alice-from-version-1" };
  const history = await send(`${world.url}/api/client/v1/conversations/group:g_team/messages?limit=50`, { headers });
  assert.equal(history.status, 200, history.text);
  assert.match(history.text, /after the upgrade/);
  const { db, dialect } = world.portico.ctx.storage;
  const found = async (keyword: string) => (await select(db, dialect, "members", { scope: "t_acme", keyword })).total;
  assert.equal(await found("丽"), 1);
  assert.equal(await found("卡罗"), version < "0008" ? 0 : 1);
  assert.equal((await select(db, dialect, "visitors", { scope: "app_desk", keyword: "安" })).total, 1);
}
