import assert from "node:assert/strict";
import { sql } from "kysely";
import { listMessages } from "../src/domain/customer-service/message-store.ts";
import type { Db } from "../src/platform/storage/schema.ts";
import { acme } from "./support/acme.ts";
import { CustomerClient, customerApp, visitorOf } from "./support/customer-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { queriesOf } from "./support/queries.ts";
import { suiteWorld } from "./support/world.ts";

const APP = "app_desk";
const ann = visitorOf(APP, "ann");
const MESSAGES = 100_000;

/** A node of PostgreSQL's execution plan. */
interface PlanNode {
  "Node Type": string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Rows Removed by Filter"?: number;
  Plans?: PlanNode[];
}

onBothEngines("customer service: a visitor with 100,000 messages", (engine, test) => {
  const world = suiteWorld(engine, acme(customerApp(APP)));
  const app = new CustomerClient(world, APP);
  const page = (query: Record<string, string | number>) =>
    app.value(app.get("message/list", { visitorId: ann, pageSize: 100, ...query }));

  test("setting: the messages are stored", async () => {
    const { sessionId } = await app.value(app.post("message/send", { visitorId: ann, content: "1" }));
    const { storage, clock } = world().portico.ctx;
    await storage.write(async (tx) => {
      await sql`
        with recursive n(seq) as (select 2 union all select seq + 1 from n where seq < ${sql.lit(MESSAGES)})
        insert into customer_messages
          (app_id, visitor_id, session_id, seq, sender_type, agent_user_id, third_msg_id, msg_type, content, created_at)
        select ${sql.lit(APP)}, ${sql.lit(ann)}, ${sql.lit(sessionId)}, seq, 'VISITOR', null, null, 'text', '"x"',
          ${sql.lit(clock.now())} from n`.execute(tx);
      const key = `visitor:${ann}`;
      await tx.updateTable("conversations").set({ last_seq: MESSAGES }).where("conversation_key", "=", key).execute();
      await tx
        .updateTable("customer_sessions")
        .set({ last_seq: MESSAGES })
        .where("session_id", "=", sessionId)
        .execute();
    });
    if (engine.name === "postgres") await sql`analyze customer_messages`.execute(storage.db);
  });
  test("its first, middle and last pages hold what they should", async () => {
    const { currentSessionId } = await app.value(app.get("visitor/info", { visitorId: ann }));
    const filters: Record<string, number>[] = [{}, { sessionId: currentSessionId }];
    for (const other of filters) {
      for (const number of [1, 500, 1000]) {
        const { records, total } = await page({ page: number, ...other });
        assert.equal(total, MESSAGES);
        assert.deepEqual(
          records.map(({ seq }: { seq: number }) => seq),
          Array.from({ length: 100 }, (_, n) => (number - 1) * 100 + n + 1),
        );
      }
    }
    const { records, total } = await page({ afterSeq: MESSAGES - 3 });
    assert.deepEqual([records.length, total], [3, 3]);
  });
  test("the last page costs as much as the first: only the rows shown are read, by the index of seq", async () => {
    const first = await workOf(engine.name, world().portico.ctx.storage.db, { from: 1, to: 100 });
    const last = await workOf(engine.name, world().portico.ctx.storage.db, { from: MESSAGES - 99, to: MESSAGES });
    assert.deepEqual(last, first);
    assert.match(first.plan, /customer_messages_seq/);
    assert.doesNotMatch(first.query, /offset/i);
    assert.ok(first.rows <= 100);
  });
});

/** How the database executes the store's query for a range, and how many message rows it reads. */
async function workOf(dialect: "sqlite" | "postgres", db: Db, range: { from: number; to: number }) {
  const { queries, result: rows } = await queriesOf(db, (spy) => listMessages(spy, ann, range));
  assert.equal(rows.length, 100);
  const [query] = queries;
  assert.ok(query !== undefined);
  const values = [ann, range.from, range.to, 100];
  const explain = dialect === "sqlite" ? "explain query plan " : "explain (analyze, format json) ";
  const bound = { ...query, sql: explain + query.sql, parameters: values };
  const { rows: lines } = await db.executeQuery<Record<string, unknown>>(bound);
  if (dialect === "sqlite") {
    const plan = lines.map(({ detail }) => String(detail));
    // A search by visitor and both ends of the range reads only the rows in between.
    assert.ok(
      plan.some((detail) => detail.includes("(visitor_id=? AND seq>? AND seq<?)")),
      plan.join("\n"),
    );
    assert.ok(!plan.some((detail) => /SCAN|TEMP B-TREE/.test(detail)), plan.join("\n"));
    return { query: query.sql, plan: plan.join("\n"), rows: 100 };
  }
  const plans = lines.flatMap((line) => line["QUERY PLAN"] as { Plan: PlanNode }[]);
  const nodes = plans.flatMap(({ Plan }) => flatten(Plan));
  const scans = nodes.filter((node) => node["Index Name"] === "customer_messages_seq");
  const rowsRead = scans.map((node) => node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0));
  const plan = nodes.map((node) => `${node["Node Type"]} ${node["Index Name"] ?? ""}`).join("\n");
  return { query: query.sql, plan, rows: Math.max(...rowsRead) };
}

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}
