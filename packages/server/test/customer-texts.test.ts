import assert from "node:assert/strict";
import { join } from "node:path";
import Database from "better-sqlite3";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { findMessageIds } from "../src/domain/customer-service/message-search.ts";
import { up } from "../src/platform/storage/migrations/0021-customer-search.ts";
import type { Db, Schema } from "../src/platform/storage/schema.ts";
import { defineSearchGrams } from "../src/platform/storage/sqlite/sqlite.ts";
import { SqliteConnection } from "../src/platform/storage/sqlite/sqlite-connection.ts";
import { type EngineInstance, onBothEngines } from "./support/engines.ts";
import { World } from "./support/world.ts";

/** The contents of messages as an earlier version stored them, by type. */
const STORED = [
  ["text", JSON.stringify("needle in a haystack")],
  ["text", JSON.stringify('a "quoted"\nneedle 😀')],
  ["text", JSON.stringify(`${"x".repeat(498)}needle`)],
  ["text", JSON.stringify("a needle with NUL \0")],
  ["text", JSON.stringify("half a character \ud83d, needle")],
  ["file", JSON.stringify({ fileKey: "needle", fileName: "hay.pdf", url: "https://needle.example/" })],
  ["file", JSON.stringify({ fileKey: "f", fileName: "Needle.pdf" })],
] as const;

onBothEngines("the search of messages that were there before it", (engine, test) => {
  test("finds the beginnings of their texts and their files' names", async () => {
    const instance = await engine.create();
    await (await World.on(engine, instance, {})).stop();
    const { db, close } = engine.name === "sqlite" ? openSqlite(instance) : openPostgres(instance);
    const rest = { app_id: "app_1", visitor_id: "v_1", session_id: 1, sender_type: "VISITOR" as const, created_at: 1 };
    for (const [index, [msg_type, content]] of STORED.entries()) {
      await db
        .insertInto("customer_messages")
        .values({
          ...rest,
          message_id: index + 1,
          seq: index + 1,
          msg_type,
          content,
          agent_user_id: null,
          third_msg_id: null,
        })
        .execute();
    }
    await db.schema.dropTable("customer_texts").execute();
    if (engine.name === "sqlite") await db.schema.dropTable("customer_search_index").execute();
    await up(db, engine.name);
    const found = async (keyword: string) => {
      const page = { keyword, before: Number.MAX_SAFE_INTEGER, limit: 20 };
      // The service's own pools read PostgreSQL's big numbers as numbers.
      return (await findMessageIds(db, engine.name, "app_1", page)).map(Number);
    };
    // What PostgreSQL's texts cannot contain is left out there; half a character is nothing that could be sent today.
    assert.deepEqual(
      (await found("needle")).filter((id) => id !== 5),
      [7, 2, 1],
    );
    assert.deepEqual(await found('"quoted"\nneedle 😀'), [2]);
    assert.deepEqual(await found("xxne"), [3]);
    assert.deepEqual(await found("hay"), [6, 1]);
    await close();
    await instance.dispose();
  });
});

function openSqlite({ env }: EngineInstance): { db: Db; close(): Promise<void> } {
  const database = new Database(join(env.PORTICO_DATA_DIR ?? "", "portico.db"));
  defineSearchGrams(database);
  const db = new SqliteConnection(database).handle();
  return { db, close: () => db.destroy() };
}

function openPostgres({ env }: EngineInstance): { db: Db; close(): Promise<void> } {
  const pool = new pg.Pool({ connectionString: env.PORTICO_DATABASE_URL });
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return { db, close: () => db.destroy() };
}
