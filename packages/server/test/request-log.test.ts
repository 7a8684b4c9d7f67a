import assert from "node:assert/strict";
import { CallCounts } from "../src/domain/requests/call-counts.ts";
import { RequestLog } from "../src/domain/requests/request-log.ts";
import type { RequestRecord } from "../src/domain/requests/request-store.ts";
import { reqNosFrom } from "../src/platform/http/trace.ts";
import { sendText } from "./support/acme.ts";
import { assertConsoleRefused, ConsoleClient, consoleAcme, ownedApp } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { explained } from "./support/explanations.ts";
import { suiteWorld, type World } from "./support/world.ts";

const REFUSED = JSON.stringify({
  reason: "for the test",
  refusal: { check: "business", details: null },
  query: null,
  headers: {},
});

/** A record of the `n`th call at `at`; the members of `other` replace these. */
function record(appId: string, at: number, n: number, other: Partial<RequestRecord> = {}): RequestRecord {
  const reqNo = `${reqNosFrom(at)}${appId}${String(n).padStart(6, "0")}`;
  return {
    reqNo,
    appId,
    at,
    method: "POST",
    path: "/a",
    status: 200,
    code: "000000",
    durationMs: 3,
    detail: null,
    ...other,
  };
}

const refusal = { status: 403, code: "400008", detail: REFUSED };

async function add(log: RequestLog, records: RequestRecord[]): Promise<void> {
  for (const one of records) log.add(one);
  await log.flush();
}

onBothEngines("the request log: the list", (engine, test) => {
  const appIds = ["app_many", "app_filter", "app_rare", "app_real", "app_empty"];
  const world = suiteWorld(engine, consoleAcme(...appIds.map((appId) => ownedApp(appId))));
  const list = async (appId: string, query = "") =>
    (await ConsoleClient.logIn(world())).ok("GET", `apps/${appId}/requests${query}`);
  const numbers = (items: { reqNo: string }[]) => items.map(({ reqNo }) => Number(reqNo.slice(-6)));

  test("an application without calls has an empty list", async () => {
    assert.deepEqual(await list("app_empty"), { items: [], nextBefore: null });
  });
  test("real calls of this application only, newest first", async () => {
    const ok = await sendText(world(), "app_real", "hi");
    const refused = await sendText(world(), "app_real", "hi", { signedBody: "other" });
    const client = await ConsoleClient.logIn(world());
    for (const { json } of [ok, refused]) await explained(client, `apps/app_real/requests/${json.reqNo}`);
    const { items, nextBefore } = await list("app_real");
    assert.equal(nextBefore, null);
    const [newest, oldest] = items;
    assert.deepEqual(Object.keys(newest), [
      ...["reqNo", "at", "method", "path", "status", "code", "durationMs", "reason"],
    ]);
    assert.deepEqual([newest.reqNo, newest.reason], [refused.json.reqNo, "400003 the signature does not match"]);
    assert.deepEqual([oldest.reqNo, oldest.reason], [ok.json.reqNo, null]);
  });
  test("the pages of 5,000 calls contain each call once", async () => {
    const { requestLog, storage } = world().portico.ctx;
    const at = world().clock.now();
    await add(
      requestLog,
      Array.from({ length: 5_000 }, (_, n) => record("app_many", at + Math.floor(n / 7), n)),
    );
    const { total } = await storage.db
      .selectFrom("requests")
      .select(({ fn }) => fn.countAll<number>().as("total"))
      .where("app_id", "=", "app_many")
      .executeTakeFirstOrThrow();
    assert.equal(total, 5_000);
    const met: number[] = [];
    for (let before: string | null = ""; before !== null; ) {
      const { items, nextBefore } = await list("app_many", `?limit=100&before=${before}`);
      assert.equal(items.length, 100);
      met.push(...numbers(items));
      before = nextBefore;
    }
    assert.deepEqual(
      met,
      Array.from({ length: 5_000 }, (_, n) => 4_999 - n),
    );
    assert.equal((await list("app_many")).items.length, 20);
  });
  test("filters: each one, combined, and both ends of a range", async () => {
    const at = world().clock.now();
    await add(world().portico.ctx.requestLog, [
      record("app_filter", at - 3, 1),
      record("app_filter", at - 2, 2, { ...refusal, status: 401, code: "400001" }),
      record("app_filter", at - 1, 3, { ...refusal, method: "GET", path: "/a/b" }),
      record("app_filter", at, 4, { ...refusal, status: 500, code: "500000", path: "/b" }),
    ]);
    for (const [query, expected] of [
      ["", [4, 3, 2, 1]],
      ["status=4xx", [3, 2]],
      ["status=401", [2]],
      ["status=2xx", [1]],
      ["code=400008", [3]],
      ["code=nothing", []],
      ["path=/a", [3, 2, 1]],
      ["path=%2Fa%2F", [3]],
      ["path=_a", []],
      ["method=GET", [3]],
      ["status=4xx&method=POST", [2]],
      [`from=${at - 1}`, [4, 3]],
      [`from=${at - 2}&to=${at - 2}`, [2]],
      [`to=${at - 2}&status=2xx`, [1]],
      ["from=0&to=9007199254740991", [4, 3, 2, 1]],
      ["from=9007199254740991", []],
      [`from=${at}&to=${at - 1}`, []],
    ] as const) {
      assert.deepEqual(numbers((await list("app_filter", `?${query}`)).items), expected, query);
    }
  });
  test("a filter with few matches stops after 10,000 calls, and continues from there", async () => {
    const at = world().clock.now();
    const records = Array.from({ length: 10_500 }, (_, n) => record("app_rare", at, n, n === 3 ? refusal : {}));
    await add(world().portico.ctx.requestLog, records);
    const first = await list("app_rare", "?status=403");
    assert.deepEqual(first.items, []);
    assert.equal(first.nextBefore, records[500]?.reqNo);
    const second = await list("app_rare", `?status=403&before=${first.nextBefore}`);
    assert.deepEqual([numbers(second.items), second.nextBefore], [[3], null]);
  });
  for (const [query, named] of [
    ["status=4x", "status"],
    ["status=666", "status"],
    ["method=BREW", "method"],
    ["from=yesterday", "from"],
    ["to=-1", "to"],
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    [`before=${"x".repeat(65)}`, "before"],
    ["before=%00", "before"],
    [`path=${"x".repeat(513)}`, "path"],
  ] as const) {
    test(`requests with ${query.slice(0, 20)} are refused with a message naming it`, async () => {
      const answer = await (await ConsoleClient.logIn(world())).get(`apps/app_empty/requests?${query}`);
      assertConsoleRefused(answer, 400, new RegExp(named));
    });
  }
});

onBothEngines("the request log: its queue", (engine, test) => {
  const world = suiteWorld(engine, consoleAcme(ownedApp("app_flood"), ownedApp("app_sum"), ownedApp("app_fault")));
  const countsOf = (one: World, appId: string) =>
    one.portico.ctx.storage.db
      .selectFrom("call_counts")
      .select(["minute", "calls", "errors"])
      .where("app_id", "=", appId)
      .orderBy("minute")
      .execute();

  test("a flood of successes displaces no refusal, and all calls are counted", async (t) => {
    const { log, storage } = world().portico.ctx;
    const requestLog = new RequestLog(storage, log, { accepts: () => true });
    t.after(() => requestLog.close());
    const at = world().clock.now();
    for (let n = 0; n < 30_000; n++) requestLog.add(record("app_flood", at, n));
    for (let n = 0; n < 300; n++) requestLog.add(record("app_flood", at, 90_000 + n, refusal));
    for (let n = 30_000; n < 31_000; n++) requestLog.add(record("app_flood", at, n));
    await requestLog.flush();
    const kept = await storage.db
      .selectFrom("requests")
      .select(["status", ({ fn }) => fn.countAll<number>().as("count")])
      .where("app_id", "=", "app_flood")
      .groupBy("status")
      .orderBy("status")
      .execute();
    assert.deepEqual(kept.at(-1), { status: 403, count: 300 });
    assert.ok((kept[0]?.count ?? 0) <= 20_000);
    assert.deepEqual(await countsOf(world(), "app_flood"), [
      { minute: Math.floor(at / 60_000), calls: 31_300, errors: 300 },
    ]);
    assert.ok(world().logLines.some((line) => line.includes("could not keep up")));
  });
  test("counts of several processes are added up per minute", async (t) => {
    const { log, storage } = world().portico.ctx;
    const logs = Array.from({ length: 3 }, () => new RequestLog(storage, log, { accepts: () => true }));
    t.after(() => Promise.all(logs.map((each) => each.close())));
    const minute = Math.floor(world().clock.now() / 60_000);
    for (let round = 0; round < 5; round++) {
      for (const [index, each] of logs.entries()) {
        const [now, next] = [minute * 60_000 + round, (minute + 1) * 60_000 + round];
        each.add(record("app_sum", now, index * 100 + round));
        each.add(record("app_sum", next, index * 100 + round, round === 0 ? refusal : {}));
      }
      await Promise.all(logs.map((each) => each.flush()));
    }
    assert.deepEqual(await countsOf(world(), "app_sum"), [
      { minute, calls: 15, errors: 0 },
      { minute: minute + 1, calls: 15, errors: 3 },
    ]);
  });
  test("counts that could not be written are written later", async (t) => {
    const { log, storage } = world().portico.ctx;
    const requestLog = new RequestLog(storage, log, { accepts: () => true });
    t.after(() => requestLog.close());
    const at = world().clock.now();
    t.mock.method(storage, "write", async () => {
      throw new Error("the disk is full");
    });
    await add(requestLog, [record("app_fault", at, 1)]);
    t.mock.restoreAll();
    await add(requestLog, [record("app_fault", at, 2)]);
    assert.deepEqual(await countsOf(world(), "app_fault"), [{ minute: Math.floor(at / 60_000), calls: 2, errors: 0 }]);
  });
  test("however often counts cannot be written, those of one minute are kept together, so none is lost", async (t) => {
    const { storage } = world().portico.ctx;
    const counts = new CallCounts(storage);
    const at = world().clock.now() + 60_000;
    const failing = t.mock.method(storage, "write", async () => {
      throw new Error("the disk is full");
    });
    const tries = 10_100;
    for (let n = 0; n < tries; n++) {
      counts.add("app_fault", { at, code: "400006", durationMs: 7 }, true);
      await assert.rejects(counts.write());
    }
    assert.equal(failing.mock.callCount(), tries);
    t.mock.restoreAll();
    await counts.write();
    const minute = Math.floor(at / 60_000);
    assert.deepEqual((await countsOf(world(), "app_fault")).at(-1), { minute, calls: tries, errors: tries });
    const codes = await storage.db
      .selectFrom("call_errors")
      .select(["code", "calls"])
      .where("app_id", "=", "app_fault")
      .where("minute", "=", minute)
      .execute();
    assert.deepEqual(codes, [{ code: "400006", calls: tries }]);
  });
  // The embedded engine has only one process.
  if (engine.name === "postgres") {
    test("a refused call is explained at another process within a second", async () => {
      const second = await world().start();
      const client = (await ConsoleClient.logIn(world())).at(second);
      const { json } = await sendText(world(), "app_sum", "hi", { signedBody: "other" });
      const startedMs = performance.now();
      const { check } = (await explained(client, `apps/app_sum/requests/${json.reqNo}`)).json;
      assert.equal(check, "signature");
      assert.ok(performance.now() - startedMs < 1_000);
    });
  }
  test("records and counts are removed after retention.requests, and not before", async () => {
    const { storage } = world().portico.ctx;
    const { Maintenance } = await import("../src/service/maintenance.ts");
    const appsAfter = async (ms: number, table: "requests" | "call_counts" | "call_errors") => {
      world().clock.turn(ms);
      const maintenance = new Maintenance(world().portico.ctx);
      await maintenance.run();
      await maintenance.close();
      return await storage.db.selectFrom(table).select("app_id").execute();
    };
    for (const table of ["requests", "call_counts", "call_errors"] as const)
      assert.notDeepEqual(await appsAfter(60_000, table), [], table);
    for (const table of ["requests", "call_counts", "call_errors"] as const) {
      // On PostgreSQL records leave with their day.
      const more = table === "requests" && engine.name === "postgres" ? 86_400_000 : 0;
      assert.deepEqual(await appsAfter(7 * 86_400_000 + 120_000 + more, table), [], table);
    }
  });
});

onBothEngines("the request log: calls in an application's name", (engine, test) => {
  const world = suiteWorld(engine, consoleAcme(ownedApp("app_named")));

  test("50 unverified calls a second are recorded and all are counted; verified calls are recorded as well", async () => {
    for (let n = 0; n < 60; n++) await sendText(world(), "app_named", "hi", { headers: { "x-open-signature": "0" } });
    const own = await sendText(world(), "app_named", "hi", { headers: { "content-type": "text/plain" } });
    const client = await ConsoleClient.logIn(world());
    await explained(client, `apps/app_named/requests/${own.json.reqNo}`);
    const { items } = await client.ok("GET", "apps/app_named/requests?limit=100");
    const statuses = items.map(({ status }: { status: number }) => status);
    assert.deepEqual(statuses, [415, ...Array.from({ length: 50 }, () => 401)]);
    const { totals } = await client.ok("GET", "apps/app_named/stats?interval=minute");
    assert.deepEqual([totals.calls, totals.errors], [61, 61]);

    world().clock.turn(1_000);
    const next = await sendText(world(), "app_named", "hi", { headers: { "x-open-signature": "0" } });
    await explained(client, `apps/app_named/requests/${next.json.reqNo}`);
  });
});
