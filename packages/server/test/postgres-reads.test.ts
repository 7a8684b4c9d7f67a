import assert from "node:assert/strict";
import { after, before, describe, type TestContext, test } from "node:test";
import { sql } from "kysely";
import { findTenant } from "../src/domain/directory/tenant-store.ts";
import { prepared } from "../src/platform/storage/prepared.ts";
import type { Db } from "../src/platform/storage/schema.ts";
import type { Storage } from "../src/platform/storage/storage.ts";
import { postgres } from "./support/engines.ts";
import { migratedStorage } from "./support/migrated-storage.ts";

describe("reads on PostgreSQL", { skip: postgres.missing ?? false }, () => {
  let storage: Storage;
  let dispose: () => Promise<void>;
  before(async () => {
    ({ storage, dispose } = await migratedStorage());
  });
  after(() => dispose());

  test("a burst of look-ups shares a few connections, and each gets its own answer", async () => {
    const ids = Array.from({ length: 100 }, (_, n) => `t_${n}`);
    await storage.write(async (tx) => {
      const tenants = ids.slice(0, 50).map((id) => ({ tenant_id: id, name: `the name of ${id}` }));
      await tx.insertInto("tenants").values(tenants).execute();
    });
    let burst: ReturnType<typeof findTenant>[] = [];
    let most = 0;
    await storage.write(async (tx) => {
      await sql`lock table tenants in access exclusive mode`.execute(tx);
      burst = ids.map((id) => findTenant(storage.db, id));
      // Long enough for a pool to open more connections, one after another.
      const lookUntil = performance.now() + 500;
      while (performance.now() < lookUntil) most = Math.max(most, await countHeldUp(storage.lists));
    });
    const found = await Promise.all(burst);
    assert.deepEqual(
      found.map((tenant) => tenant?.name),
      ids.map((id, n) => (n < 50 ? `the name of ${id}` : undefined)),
    );
    // A hundred, by 32 that share one.
    assert.equal(most, 4);
  });
  test("a look-up is prepared once on a connection, and then neither parsed nor planned", async () => {
    for (let n = 0; n < 3; n++) await findTenant(storage.db, `t_${n}`);
    const { rows } = await sql<{ runs: string }>`select generic_plans + custom_plans as runs from pg_prepared_statements
      where statement like '%"tenants"%'`.execute(storage.db);
    assert.ok(rows.length === 1 && Number(rows[0]?.runs) >= 3, JSON.stringify(rows));
  });
  test("a look-up that fails fails alone", async () => {
    const found = await Promise.allSettled(["t_1", "\0", "t_2"].map((id) => findTenant(storage.db, id)));
    assert.deepEqual(
      found.map((outcome) => (outcome.status === "fulfilled" ? outcome.value?.tenantId : "failed")),
      ["t_1", "failed", "t_2"],
    );
  });
  test("texts in arrays arrive as they are", async () => {
    const pieces = ['"', "\\", "{", "}", ",", "'", " ", "NULL", "null", "\n", "\t", "\u00a0", "\u{1f600}", "\\x41", ""];
    const texts = [null, ...pieces, ...pieces.flatMap((one) => pieces.map((other) => one + other))];
    const selectAll = prepared<{ texts: (string | null)[]; numbers: (number | null)[] }>()((db, param) => ({
      compile: () =>
        sql<{ text: string | null; number: number | null }>`select text, number
          from unnest(${param("texts")}::text[], ${param("numbers")}::float8[]) with ordinality as given(text, number, n)
          order by n`.compile(db),
    }));
    const numbers = texts.map((text, index) => (text === null ? null : index % 2 === 0 ? index / 3 : -index));
    const rows = await selectAll.rows(storage.db, { texts, numbers });
    assert.deepEqual(
      rows.map(({ text }) => text),
      texts,
    );
    assert.deepEqual(
      rows.map(({ number }) => number),
      numbers,
    );
  });
  test("the newest rows of a conversation are read in the order of the index, though nobody knows that it has grown", async () => {
    await storage.unhurried.write(async (tx) => {
      await sql`insert into messages (conversation_key, msg_seq, sender_type, sender_id, msg_type, content, mentions, created_at)
        select 'group:g_full', n, 'BOT', 'app_bot', 'text', '{}', '[]', 0 from generate_series(1, 20000) as n`.execute(
        tx,
      );
    });
    const { rows } = await sql<{ "QUERY PLAN": { Plan: PlanNode }[] }>`explain (analyze, format json)
      select sender_id from messages where conversation_key = 'group:g_full'
        and msg_seq > coalesce((select seq from member_reads where user_id = 'u_nobody' limit 1), 0)
      order by msg_seq desc limit 300`.execute(storage.db);
    const plans = rows.flatMap((row) => row["QUERY PLAN"].map(({ Plan }) => Plan));
    assert.equal(Math.max(...plans.map(mostRowsOf)), 300);
  });
  test("a long read of several callers is followed by a pause as long, which delays no result", async (t: TestContext) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const done: number[] = [];
    const read = async (n: number) => {
      await sql`select 1`.execute(storage.lists);
      done.push(n);
    };
    const reads = [read(0), read(1)];
    await reads[0];
    for (let n = 0; n < 20; n++) await findTenant(storage.db, "t_1");
    assert.deepEqual(done, [0]);
    t.mock.timers.tick(50);
    await reads[1];
    assert.deepEqual(done, [0, 1]);
    // Nobody waits: the connection is free at once.
    await read(2);
    await read(3);
    assert.deepEqual(done, [0, 1, 2, 3]);
  });
});

/** The number of connections whose statement waits for a lock. */
async function countHeldUp(db: Db): Promise<number> {
  const { rows } = await sql<{ count: string }>`select count(*) as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return Number(rows[0]?.count);
}

/** A node of PostgreSQL's execution plan. */
interface PlanNode {
  "Actual Rows": number;
  Plans?: PlanNode[];
}

function mostRowsOf(node: PlanNode): number {
  return Math.max(node["Actual Rows"], ...(node.Plans ?? []).map(mostRowsOf));
}
