import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import Database from "better-sqlite3";
import { checkMigration, migrateStore } from "../src/operations/migrate-store.ts";
import { createOperator } from "../src/operations/operators.ts";
import { LATEST_MIGRATION } from "../src/platform/storage/migrate.ts";
import { provisionFromFile } from "../src/service/provision-command.ts";
import { sqlite } from "./support/engines.ts";

const OPS = { phone: "13800000009", channelId: 1, name: "Ops", password: "a good password" };

/** The configuration of a migrated store, and its database. */
async function storeOf(t: TestContext) {
  const { env, dispose } = await sqlite.create("migrated");
  const database = new Database(join(env.PORTICO_DATA_DIR ?? "", "portico.db"));
  t.after(async () => {
    database.close();
    await dispose();
  });
  return { env, database };
}

test("an older schema is not migrated by making an operator", async (t) => {
  const { env, database } = await storeOf(t);
  const newest = database.prepare<[], { name: string }>("select max(name) as name from kysely_migration").get();
  database.prepare("delete from kysely_migration where name = ?").run(newest?.name);
  await assert.rejects(createOperator(OPS, env), /schema of another version.*`portico migrate` first/);
  const { from, to } = await checkMigration(env);
  assert.ok(from !== null && from < to);
  assert.equal(database.prepare("select count(*) from developers").pluck().get(), 0);
});

test("an older schema is not migrated by a provisioning file, nor looked at by a dry run", async (t) => {
  const { env, database } = await storeOf(t);
  database.prepare("delete from kysely_migration where name = ?").run(LATEST_MIGRATION);
  const file = join(env.PORTICO_DATA_DIR ?? "", "world.json");
  writeFileSync(file, JSON.stringify({ tenants: [{ id: "t_1", name: "One" }] }));
  for (const dryRun of [false, true]) {
    await assert.rejects(provisionFromFile(file, env, { dryRun }), /another version.*`portico migrate` first/);
  }
  assert.equal(database.prepare("select count(*) from tenants").pluck().get(), 0);
});

test("a schema in which an older migration is missing is not the present one", async (t) => {
  const { env, database } = await storeOf(t);
  database.prepare("delete from kysely_migration where name = '0013-member-logins'").run();
  assert.deepEqual(await checkMigration(env), { from: "0012-agent-user-id", to: LATEST_MIGRATION });
  await assert.rejects(createOperator(OPS, env), /schema of another version/);
});

test("a newer schema is refused, not migrated back", async (t) => {
  const { env, database } = await storeOf(t);
  database.prepare("insert into kysely_migration (name, timestamp) values ('9999-later', '')").run();
  for (const attempt of [checkMigration(env), migrateStore(env), createOperator(OPS, env)]) {
    await assert.rejects(attempt, /newer version of Portico|schema of another version/);
  }
});
