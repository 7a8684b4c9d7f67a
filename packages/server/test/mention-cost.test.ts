import assert from "node:assert/strict";
import { type CompiledQuery, sql } from "kysely";
import { findMentionable, findUserIds } from "../src/domain/directory/user-names.ts";
import type { Db } from "../src/platform/storage/schema.ts";
import { acme, botApp } from "./support/acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { queriesOf } from "./support/queries.ts";
import { suiteWorld } from "./support/world.ts";

const MEMBERS = 5_000;
const ACCOUNTS = ["u_alice", "bob", "app_bot", "u_7", "name8", "nobody", "app_elsewhere", "u_elsewhere", "elsewhere"];

onBothEngines("the cost of looking up accounts", (engine, test) => {
  const elsewhere = { tenant: "t_other", userId: "u_elsewhere", username: "elsewhere", name: "Else" };
  const file = acme(botApp("app_bot"), botApp("app_elsewhere", { tenant: "t_other", installations: [] }));
  const world = suiteWorld(engine, { ...file, members: [...(file.members ?? []), elsewhere] });

  test("setting: the tenant has 5,000 members", async () => {
    const { storage } = world().portico.ctx;
    await storage.unhurried.write(async (tx) => {
      await sql`
        with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(MEMBERS)})
        insert into members (user_id, tenant_id, username, name)
        select 'u_' || i, 't_acme', 'name' || i, 'Member ' || i from n`.execute(tx);
    });
  });
  if (engine.name === "postgres") {
    test("before PostgreSQL has statistics, usernames are looked up in the index that begins with them", async () => {
      const { db } = world().portico.ctx.storage;
      const names = Array.from({ length: 500 }, (_, n) => `name${n}`);
      const { queries } = await queriesOf<unknown>(db, (spy) => findMentionable(spy, "t_acme", names));
      assert.ok(queries.some((query) => query.sql.includes('lower("username" collate "C") = ')));
      for (const query of queries) {
        const explained = { ...query, sql: `explain ${query.sql}` };
        const { rows } = await db.executeQuery(explained);
        assert.doesNotMatch(JSON.stringify(rows), /members_name/);
      }
      await sql`analyze members`.execute(db);
    });
  }
  test("members are found by userId and username, bots by appId, and no account of another tenant", async () => {
    const found = await findMentionable(world().portico.ctx.storage.db, "t_acme", ACCOUNTS);
    const member = (userId: string, name: string) => ({ userId, name, isBot: false });
    assert.deepEqual(Object.fromEntries(ACCOUNTS.filter((of) => found.has(of)).map((of) => [of, found.get(of)])), {
      u_alice: member("u_alice", "Alice"),
      bob: member("u_bob", "Bob"),
      app_bot: { userId: "app_bot", name: "Bot app_bot", isBot: true },
      u_7: member("u_7", "Member 7"),
      name8: member("u_8", "Member 8"),
    });
  });
  test("units in step find the same, each what it asks for in its tenant", async () => {
    const { storage } = world().portico.ctx;
    const asked = ["t_acme", "t_other"].flatMap((tenantId) => [
      ...ACCOUNTS.map((account) => ({ tenantId, accounts: [account] })),
      { tenantId, accounts: ACCOUNTS.slice(0, 8) },
      { tenantId, accounts: ["\0", "u_alice\0"] },
    ]);
    const inStep = await Promise.all(
      asked.map(({ tenantId, accounts }) =>
        storage.writeInStep((tx) => findMentionable(tx, tenantId, accounts), { selfContained: true }),
      ),
    );
    for (const [index, { tenantId, accounts }] of asked.entries()) {
      const alone = await findMentionable(storage.db, tenantId, accounts);
      for (const account of accounts) assert.deepEqual(inStep[index]?.get(account), alone.get(account), account);
    }
  });
  test("all of 1,200 accounts are found, with several statements", async () => {
    const accounts = Array.from({ length: 1_200 }, (_, n) => (n % 2 === 0 ? `u_${n + 1}` : `name${n + 1}`));
    const found = await findUserIds(world().portico.ctx.storage.db, "t_acme", accounts);
    for (const [n, account] of accounts.entries()) assert.equal(found.get(account), `u_${n + 1}`);
  });
  for (const [what, find] of [
    ["mentions", findMentionable],
    ["accounts of a group", findUserIds],
  ] as const) {
    test(`${what} are looked up by indexes, never among all members of the tenant`, async () => {
      const { db } = world().portico.ctx.storage;
      for (const accounts of [ACCOUNTS.slice(0, 1), ACCOUNTS, Array.from({ length: 500 }, (_, n) => `name${n}`)]) {
        const { queries } = await queriesOf<unknown>(db, (spy) => find(spy, "t_acme", [...accounts]));
        for (const query of queries) {
          await (engine.name === "sqlite" ? assertSearched(db, query) : assertFewRowsRead(db, query, 500));
        }
      }
    });
  }
});

async function assertSearched(db: Db, query: CompiledQuery): Promise<void> {
  const { rows } = await db.executeQuery<{ detail: string }>({ ...query, sql: `explain query plan ${query.sql}` });
  const plan = rows.map(({ detail }) => detail);
  assert.ok(
    plan.some((detail) => /\((user_id=\?|app_id=\?|tenant_id=\? AND <expr>=\?)\)$/.test(detail)),
    plan.join("\n"),
  );
  assert.ok(!plan.some((detail) => /SCAN|\(tenant_id=\?\)$/.test(detail)), plan.join("\n"));
}

async function assertFewRowsRead(db: Db, query: CompiledQuery, most: number): Promise<void> {
  const explained = { ...query, sql: `explain (analyze, format json) ${query.sql}` };
  const { rows } = await db.executeQuery<{ "QUERY PLAN": { Plan: PlanNode }[] }>(explained);
  const [plan] = rows.flatMap((row) => row["QUERY PLAN"]);
  assert.ok(plan !== undefined);
  assert.ok(rowsReadBy(plan.Plan) <= most, JSON.stringify(plan));
}

/** A node of PostgreSQL's execution plan. */
interface PlanNode {
  "Actual Rows": number;
  "Rows Removed by Filter"?: number;
  Plans?: PlanNode[];
}

function rowsReadBy(node: PlanNode): number {
  const own = node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0);
  return Math.max(own, ...(node.Plans ?? []).map(rowsReadBy));
}
