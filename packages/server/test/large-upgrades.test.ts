import assert from "node:assert/strict";
import { checkMigration, migrateStore } from "../src/operations/migrate-store.ts";
import { LATEST_MIGRATION } from "../src/platform/storage/migrate.ts";
import type { Db } from "../src/platform/storage/schema.ts";
import { type EngineInstance, onBothEngines } from "./support/engines.ts";
import {
  digestOf,
  FIRST_RELEASE,
  type Filled,
  fillTable,
  rowsWanted,
  type TableDigest,
} from "./support/large-store.ts";
import { FIXTURE_KEY, fillAs, openDatabase } from "./support/versions.ts";

const ROWS = rowsWanted(20_000);

/** What is filled in each version, and by which column its rows are told apart. */
const STORES: readonly { version: string; tables: readonly (readonly [table: Filled, key: string])[] }[] = [
  { version: "0001-foundation", tables: [["messages", "message_id"]] },
  {
    version: FIRST_RELEASE,
    tables: [
      ["messages", "message_id"],
      ["customer_messages", "message_id"],
      ["deliveries", "delivery_id"],
      ["audit_entries", "audit_id"],
    ],
  },
];
/** Columns that a later version named anew. */
const RENAMED: Record<string, string> = { agent_id: "agent_user_id" };

async function inDatabase<T>(
  instance: EngineInstance,
  work: (database: ReturnType<typeof openDatabase>) => Promise<T>,
) {
  const database = openDatabase(instance);
  try {
    return await work(database);
  } finally {
    await database.db.destroy();
  }
}

/** The columns of a table, its key first. */
async function columnsOf(db: Db, table: string, key: string): Promise<string[]> {
  const tables = await db.introspection.getTables();
  const columns = tables.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? [];
  assert.ok(columns.includes(key));
  return [key, ...columns.filter((name) => name !== key)];
}

onBothEngines(`a store with ${ROWS} messages`, (engine, test) => {
  for (const { version, tables } of STORES) {
    test(`of ${version} has the same contents after the upgrade to the present`, async (t) => {
      const instance = await engine.create();
      t.after(() => instance.dispose());
      instance.env.PORTICO_MASTER_KEY = FIXTURE_KEY;
      const before = new Map<Filled, { columns: string[]; digest: TableDigest }>();
      await inDatabase(instance, async (database) => {
        await fillAs(version, database);
        for (const [table, key] of tables) {
          await fillTable(database, table, ROWS);
          const columns = await columnsOf(database.db, table, key);
          before.set(table, { columns, digest: await digestOf(database.db, table, columns) });
        }
      });
      assert.equal((await checkMigration(instance.env)).from, version);
      const began = performance.now();
      await migrateStore(instance.env);
      t.diagnostic(`migrated in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
      assert.deepEqual(await checkMigration(instance.env), { from: LATEST_MIGRATION, to: LATEST_MIGRATION });
      await inDatabase(instance, async ({ db }) => {
        for (const [table, { columns, digest }] of before) {
          assert.ok(digest.rows >= ROWS);
          const now = columns.map((column) => (table === "messages" ? column : (RENAMED[column] ?? column)));
          assert.deepEqual(await digestOf(db, table, now), digest, table);
          t.diagnostic(`${table}: ${digest.rows} rows, sha256 ${digest.sha256.slice(0, 16)}… before and after`);
        }
      });
    });
  }
});
