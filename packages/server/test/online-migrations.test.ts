import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { migrateStore } from "../src/operations/migrate-store.ts";
import { LATEST_MIGRATION } from "../src/platform/storage/migrate.ts";
import { postgres } from "./support/engines.ts";
import { FILLED_TABLES, FIRST_RELEASE, fillTable, rowsWanted } from "./support/large-store.ts";
import { fillAs, openDatabase } from "./support/versions.ts";

const ROWS = rowsWanted(30_000);
const MOST_MS = 1_000;

/** What the previous version keeps doing meanwhile, at most this often. */
const WORK = [
  "insert into messages (conversation_key, msg_seq, sender_type, sender_id, msg_type, content, mentions, created_at) values ('writer', $1, 'BOT', 'app_bot', 'text', '{}', '[]', 1)",
  "insert into audit_entries (at, actor_type, actor_id, action, target, address) values ($1, 'SYSTEM', 'test', 'a.b', 'c', '')",
  "update visitors set last_seen_at = $1 where visitor_id = 'v_1'",
  "update members set name = 'Alice ' || $1::text where user_id = 'u_alice'",
  "update apps set description = $1::text where app_id = 'app_bot'",
  "insert into customer_messages (app_id, visitor_id, session_id, seq, sender_type, msg_type, content, created_at) values ('app_desk', 'writer', 1, $1, 'VISITOR', 'text', '\"x\"', 1)",
  "update deliveries set claim = $1 where delivery_id = 1",
  "insert into requests (req_no, app_id, at, method, path, status, code, duration_ms) values ('w' || $1::text, 'app_bot', 1, 'GET', '/', 200, '', 1)",
  "select count(*) from console_logins where developer_id = $1::text",
  "update meta set value = $1::text where name = 'write-probe'",
];

/** Does one thing again and again until it is stopped; resolves with the longest time that it took, in ms. */
async function keepDoing(
  url: string,
  statement: string,
  signal: AbortSignal,
): Promise<{ worst: number; times: number }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let worst = 0;
  let times = 0;
  try {
    for (; !signal.aborted; times++) {
      const began = performance.now();
      await client.query(statement, [times + 1]);
      worst = Math.max(worst, performance.now() - began);
      await setTimeout(2);
    }
    return { worst, times };
  } finally {
    await client.end();
  }
}

describe("migrations of a distributed store", { skip: postgres.missing ?? false }, () => {
  test(`after the first release hold nobody up for a second, with ${ROWS} rows in each table that grows`, async (t) => {
    const instance = await postgres.create();
    const url = instance.env.PORTICO_DATABASE_URL ?? "";
    const { db } = openDatabase(instance);
    t.after(async () => {
      await db.destroy();
      await instance.dispose();
    });
    await fillAs(FIRST_RELEASE, { db, dialect: "postgres" });
    for (const table of FILLED_TABLES) await fillTable({ db, dialect: "postgres" }, table, ROWS);
    await sql`analyze`.execute(db);

    // Somebody who reads for long, as pg_dump does, and whom a change of any table has to wait for.
    const reader = new pg.Client({ connectionString: url });
    await reader.connect();
    await reader.query("begin; lock table audit_entries, messages, members, visitors in access share mode");
    const stop = new AbortController();
    const doing = WORK.map((statement) => keepDoing(url, statement, stop.signal));
    const migrating = migrateStore(instance.env);
    await Promise.race([setTimeout(3_000), migrating]);
    await reader.query("rollback");
    await reader.end();
    await migrating;
    stop.abort();
    for (const [index, { worst, times }] of (await Promise.all(doing)).entries()) {
      t.diagnostic(`${Math.round(worst)} ms at most, ${times} times: ${WORK[index]?.slice(0, 40)}`);
      assert.ok(times > 0);
      assert.ok(worst < MOST_MS, `${worst} ms: ${WORK[index]}`);
    }
    const { rows } = await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(db);
    assert.equal(rows[0]?.name, LATEST_MIGRATION);
  });
});
