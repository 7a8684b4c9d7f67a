import assert from "node:assert/strict";
import type { AuditEntry } from "@portico/protocol";
import { recordChange } from "../src/domain/audit/audit-store.ts";
import { operatedAcme, operator } from "./support/app-life.ts";
import { assertConsoleRefused, ConsoleClient, fellow, ownedApp, owner, stranger } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { developerIdOf } from "./support/operator.ts";
import { suiteWorld, type World } from "./support/world.ts";

const SUBSCRIPTION = "apps/app_bot/subscriptions/im.message.receive_v1";
/** Long ago, so that no entry of another test comes in between. */
const START = 1_000_000_000_000;

/** Inserts `count` entries, a second apart, the n-th with the fields of `entryOf`. */
async function seed(
  world: World,
  count: number,
  entryOf: (n: number) => { actorId?: string; action?: string; appId?: string; tenantId?: string; at?: number },
): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => {
    const {
      actorId = "dev_x",
      action = "thing.do",
      appId = null,
      tenantId = null,
      at = START + n * 1_000,
    } = entryOf(n);
    return {
      at,
      actor_type: "DEVELOPER" as const,
      actor_id: actorId,
      action,
      tenant_id: tenantId,
      app_id: appId,
      target: `thing:${n}`,
      before: null,
      after: JSON.stringify({ n }),
      address: "192.0.2.1",
    };
  });
  await world.portico.ctx.storage.write(async (tx) => {
    for (let from = 0; from < rows.length; from += 1_000) {
      await tx
        .insertInto("audit_entries")
        .values(rows.slice(from, from + 1_000))
        .execute();
    }
  });
}

/** Reads all entries of a query, page by page; returns also the number of pages. */
async function readAll(client: ConsoleClient, path: string): Promise<{ entries: AuditEntry[]; pages: number }> {
  const entries: AuditEntry[] = [];
  let before = "";
  for (let pages = 1; ; pages++) {
    const { items, nextBefore } = await client.ok("GET", path + before);
    entries.push(...items);
    if (nextBefore === null) return { entries, pages };
    before = `&before=${nextBefore}`;
  }
}

const countsOf = (entries: AuditEntry[]) => entries.map(({ target }) => Number(target.slice("thing:".length)));

onBothEngines("the audit log", (engine, test) => {
  const world = suiteWorld(engine, operatedAcme(ownedApp("app_bot"), ownedApp("app_other")));

  test("an entry contains actor, action, target, time and origin, with the values before and after", async () => {
    const developer = await ConsoleClient.logIn(world());
    world().clock.turn(1_000);
    await developer.ok("PUT", SUBSCRIPTION, { callbackUrl: "https://93.184.215.14/hook" });
    const client = await ConsoleClient.logIn(world(), operator);
    const { items, nextBefore } = await client.ok(
      "GET",
      "operator/audit?appId=app_bot&action=subscription.put&limit=1",
    );
    const developerId = (await client.ok("GET", `operator/developers?keyword=${owner.phone}`)).items.find(
      ({ channelId }: { channelId: number }) => channelId === 1,
    ).developerId;
    assert.equal(nextBefore, null);
    const [{ auditId, address, ...entry }] = items;
    assert.ok(Number.isSafeInteger(auditId) && auditId > 0);
    assert.match(address, /127\.0\.0\.1$/);
    assert.deepEqual(entry, {
      at: world().clock.now(),
      actor: { type: "DEVELOPER", id: developerId, name: "Owner" },
      action: "subscription.put",
      target: "subscription:im.message.receive_v1",
      appId: "app_bot",
      tenantId: "t_acme",
      before: null,
      after: {
        ...{ transport: "WEBHOOK", callbackUrl: "https://93.184.215.14/hook", status: "ACTIVE" },
        secret: "rotated",
      },
    });
  });
  test("a member's changes show the member's name; for a deleted actor the id remains", async () => {
    const { storage } = world().portico.ctx;
    const change = { action: "thing.do", target: "thing:1", tenantId: "t_named", before: null, after: null };
    await storage.write(async (tx) => {
      await recordChange(tx, { type: "MEMBER", id: "u_alice", address: "::1" }, change, START);
      await recordChange(tx, { type: "DEVELOPER", id: "u_alice", address: "::1" }, change, START + 1);
    });
    const client = await ConsoleClient.logIn(world(), operator);
    const { items } = await client.ok("GET", "operator/audit?tenantId=t_named");
    assert.deepEqual(
      items.map(({ actor }: AuditEntry) => actor),
      [
        { type: "DEVELOPER", id: "u_alice", name: null },
        { type: "MEMBER", id: "u_alice", name: "Alice" },
      ],
    );
  });
  test("a change that is too long keeps its short fields, and the lengths of the others", async () => {
    const added = Array.from({ length: 2_000 }, (_, n) => `u_${n}`);
    const change = { action: "thing.grow", target: "thing:long", before: null, after: { memberCount: 2_000, added } };
    const many = Object.fromEntries(added.map((name) => [name, "as it is"]));
    await world().portico.ctx.storage.write(async (tx) => {
      const actor = { type: "DEVELOPER", id: "dev_gone", address: "::1" } as const;
      await recordChange(tx, actor, change, START);
      await recordChange(tx, actor, { ...change, action: "thing.sprout", after: many }, START);
    });
    const client = await ConsoleClient.logIn(world(), operator);
    const afterOf = async (action: string) =>
      (await client.ok("GET", `operator/audit?action=${action}`)).items[0].after;
    const [long, longer] = [JSON.stringify(added), JSON.stringify(many)].map(({ length }) => ({ tooLong: length }));
    assert.deepEqual(await afterOf("thing.grow"), { memberCount: 2_000, added: long });
    assert.deepEqual(await afterOf("thing.sprout"), longer);
  });
  test("pages return each entry once, newest first, also entries of the same time", async () => {
    await seed(world(), 25, (n) => ({ tenantId: "t_paged", at: START + Math.floor(n / 4) }));
    const client = await ConsoleClient.logIn(world(), operator);
    const { entries, pages } = await readAll(client, "operator/audit?tenantId=t_paged&limit=10");
    assert.deepEqual(
      countsOf(entries),
      Array.from({ length: 25 }, (_, n) => 24 - n),
    );
    assert.equal(pages, 3);
    assert.equal((await client.ok("GET", "operator/audit?tenantId=t_paged&limit=25")).nextBefore, null);
  });
  test("an entry is ordered by its time, whenever it was written", async () => {
    await seed(world(), 3, (n) => ({ tenantId: "t_late", at: START + (n === 1 ? 9 : 5 + n) }));
    const client = await ConsoleClient.logIn(world(), operator);
    assert.deepEqual(countsOf((await readAll(client, "operator/audit?tenantId=t_late&limit=1")).entries), [1, 2, 0]);
  });
  test("each filter works alone and with the others; time ranges include both ends", async () => {
    await seed(world(), 40, (n) => ({
      tenantId: "t_filtered",
      appId: `app_${n % 2}`,
      actorId: `dev_${n % 4}`,
      action: n < 20 ? "filter.early" : "filter.late",
    }));
    const client = await ConsoleClient.logIn(world(), operator);
    const of = async (query: string) => countsOf((await readAll(client, `operator/audit?${query}&limit=3`)).entries);
    const expected = (isIt: (n: number) => boolean) => Array.from({ length: 40 }, (_, n) => 39 - n).filter(isIt);
    assert.deepEqual(
      await of("tenantId=t_filtered"),
      expected(() => true),
    );
    assert.deepEqual(
      await of("action=filter.early"),
      expected((n) => n < 20),
    );
    assert.deepEqual(
      await of("appId=app_1"),
      expected((n) => n % 2 === 1),
    );
    assert.deepEqual(
      await of("actorId=dev_3&tenantId=t_filtered"),
      expected((n) => n % 4 === 3),
    );
    assert.deepEqual(await of("actorId=dev_3&appId=app_0"), []);
    assert.deepEqual(
      await of("appId=app_1&action=filter.late"),
      expected((n) => n % 2 === 1 && n >= 20),
    );
    const range = `from=${START + 5_000}&to=${START + 9_000}`;
    assert.deepEqual(await of(`tenantId=t_filtered&${range}`), [9, 8, 7, 6, 5]);
    assert.deepEqual(await of(`tenantId=t_filtered&appId=app_0&${range}`), [8, 6]);
  });
  test("what was done to one thing is found by it, alone and with other filters", async () => {
    await seed(world(), 3, () => ({ tenantId: "t_target_1" }));
    await seed(world(), 3, () => ({ tenantId: "t_target_2" }));
    const client = await ConsoleClient.logIn(world(), operator);
    const { entries } = await readAll(client, "operator/audit?target=thing:1&tenantId=t_target_2");
    assert.deepEqual(
      entries.map(({ target, tenantId }) => [target, tenantId]),
      [["thing:1", "t_target_2"]],
    );
    const { entries: all } = await readAll(client, "operator/audit?target=thing:1&limit=1");
    assert.ok(all.length >= 2 && all.every(({ target }) => target === "thing:1"));
    assert.deepEqual((await client.ok("GET", "operator/audit?target=thing:nothing")).items, []);
  });
  test("a page examines a bounded number of entries, however few match", async () => {
    await seed(world(), 12_000, (n) => ({ tenantId: "t_large", action: n === 3 ? "needle.find" : "hay.make" }));
    await seed(world(), 12_000, () => ({ tenantId: "t_large_too", action: "needle.find" }));
    const client = await ConsoleClient.logIn(world(), operator);
    const path = "operator/audit?tenantId=t_large&action=needle.find";
    const first = await client.ok("GET", path);
    assert.deepEqual(first.items, []);
    assert.ok(first.nextBefore > 0);
    const { entries, pages } = await readAll(client, path);
    assert.deepEqual(countsOf(entries), [3]);
    assert.ok(pages <= 4);
  });
  for (const [what, query, named] of [
    ["a before that no page ended with", "before=999999999", "before"],
    ["a before that is no number", "before=x", "before"],
    ["a limit of 101", "limit=101", "limit"],
    ["a limit of 0", "limit=0", "limit"],
    ["a from before all times", "from=-1", "from"],
    ["an actorId with NUL", "actorId=%00", "actorId"],
    ["an action of 129 characters", `action=${"x".repeat(129)}`, "action"],
  ] as const) {
    test(`${what}: 400`, async () => {
      const client = await ConsoleClient.logIn(world(), operator);
      assertConsoleRefused(await client.get(`operator/audit?${query}`), 400, new RegExp(named));
    });
  }
  test("no route changes it", async () => {
    const client = await ConsoleClient.logIn(world(), operator);
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      assert.equal((await client.call(method, "operator/audit")).status, 404);
      assert.equal((await client.call(method, "operator/audit/1")).status, 404);
      assert.equal((await client.call(method, "apps/app_bot/audit")).status, 404);
    }
  });

  test("the tenant's developers read the entries of their applications; other developers' addresses are hidden", async () => {
    const developer = await ConsoleClient.logIn(world());
    await developer.ok("PUT", SUBSCRIPTION, { callbackUrl: "https://93.184.215.14/hook" });
    await seed(world(), 2, () => ({ appId: "app_other", tenantId: "t_acme" }));
    const client = await ConsoleClient.logIn(world(), operator);
    const { developerId } = (await client.ok("GET", "operator/developers?keyword=Owner")).items[0];
    const own = await developer.ok("GET", `apps/app_bot/audit?actorId=${developerId}&action=subscription.put`);
    assert.ok(own.items.length > 0);
    assert.ok(own.items.every(({ appId, address }: AuditEntry) => appId === "app_bot" && address !== null));
    const others = await (await ConsoleClient.logIn(world(), fellow)).ok("GET", "apps/app_bot/audit");
    assert.deepEqual(
      others.items,
      (await developer.ok("GET", "apps/app_bot/audit")).items.map((entry: AuditEntry) => ({ ...entry, address: null })),
    );
    assertConsoleRefused(await (await ConsoleClient.logIn(world(), stranger)).get("apps/app_bot/audit"), 404);
  });
  test("a cursor of one application is not valid for another", async () => {
    const developer = await ConsoleClient.logIn(world());
    await seed(world(), 3, () => ({ appId: "app_other", tenantId: "t_acme" }));
    const { nextBefore } = await developer.ok("GET", "apps/app_other/audit?limit=1");
    assertConsoleRefused(await developer.get(`apps/app_bot/audit?before=${nextBefore}`), 400);
    const named = await developer.ok("GET", "apps/app_bot/audit?appId=app_other");
    assert.ok(named.items.every(({ appId }: AuditEntry) => appId === "app_bot"));
  });
  test("an operator finds by what the developers did", async () => {
    const client = await ConsoleClient.logIn(world(), operator);
    const actorId = await developerIdOf(client, operator.phone);
    await client.ok("POST", "operator/tenants", { name: "Audited" });
    const { items } = await client.ok("GET", `operator/audit?actorId=${actorId}&action=tenant.create`);
    assert.equal(items[0].after.name, "Audited");
  });
});
