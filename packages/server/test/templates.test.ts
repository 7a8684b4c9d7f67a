import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import Database from "better-sqlite3";
import pg from "pg";
import { LATEST_MIGRATION } from "../src/platform/storage/migrate.ts";
import { DATABASE_FILE } from "../src/platform/storage/sqlite/sqlite.ts";
import { type EngineInstance, postgres, sqlite } from "./support/engines.ts";

const LAST = "select name from kysely_migration order by name desc limit 1";
const NO_TEMPLATES = process.env.PORTICO_TEST_SQLITE_TEMPLATE ? false : "no templates; npm test makes them";

describe("a database that tests start with", { skip: NO_TEMPLATES }, () => {
  it("has been migrated (sqlite)", async () => {
    const { env, dispose } = await sqlite.create("migrated");
    const database = new Database(join(env.PORTICO_DATA_DIR ?? "", DATABASE_FILE));
    try {
      assert.deepEqual(database.prepare(LAST).get(), { name: LATEST_MIGRATION });
    } finally {
      database.close();
      await dispose();
    }
  });

  it("has been migrated (postgres)", { skip: postgres.missing ?? false }, async () => {
    const instance = await postgres.create("migrated");
    try {
      assert.deepEqual(await lastOf(instance), { name: LATEST_MIGRATION });
    } finally {
      await instance.dispose();
    }
  });
});

async function lastOf({ env }: EngineInstance): Promise<unknown> {
  const client = new pg.Client({ connectionString: env.PORTICO_DATABASE_URL });
  await client.connect();
  try {
    return (await client.query(LAST)).rows[0];
  } finally {
    await client.end();
  }
}
