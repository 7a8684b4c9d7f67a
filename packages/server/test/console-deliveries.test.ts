import assert from "node:assert/strict";
import type { Delivery } from "@portico/protocol";
import type { AttemptResult } from "../src/domain/webhooks/attempts/attempt-result.ts";
import { measureDeliveries } from "../src/domain/webhooks/delivery-queries.ts";
import { claimDue } from "../src/domain/webhooks/delivery-store.ts";
import { settleClaims } from "../src/domain/webhooks/settle-claims.ts";
import { alice } from "./support/acme.ts";
import {
  assertConsoleRefused,
  ConsoleClient,
  consoleAcme,
  fellow,
  ownedApp,
  seedDeliveries,
} from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { socketOf, startReceiver } from "./support/receiver.ts";
import { LOOPBACK_CALLBACKS, LOOPBACK_NETWORK, sayTo, subscribe, untilAll } from "./support/webhooks.ts";
import { suiteWorld } from "./support/world.ts";

const ids = (items: { eventId: string }[]) => items.map(({ eventId }) => eventId);

onBothEngines("console: looking at deliveries", (engine, test) => {
  const appIds = [
    "app_list",
    "app_pages",
    "app_filter",
    "app_due",
    "app_real",
    "app_body",
    "app_bad",
    "app_dropped",
    "app_many",
    "app_empty",
    "app_long",
  ];
  const world = suiteWorld(
    engine,
    consoleAcme(...appIds.map((appId) => ownedApp(appId))),
    LOOPBACK_CALLBACKS,
    LOOPBACK_NETWORK,
  );
  const list = async (appId: string, query = "") =>
    (await ConsoleClient.logIn(world())).ok("GET", `apps/${appId}/deliveries${query}`);
  const read = async (appId: string, eventId: string) =>
    (await ConsoleClient.logIn(world())).ok("GET", `apps/${appId}/deliveries/${eventId}`);

  test("an application without deliveries has an empty page", async () => {
    assert.deepEqual(await list("app_empty"), { items: [], total: 0, page: 1, pageSize: 20 });
  });
  test("a real delivery: its list item, and its details with body and attempt", async (t) => {
    const receiver = await startReceiver({ respond: (_received, response) => void response.end("thanks ✓") });
    t.after(() => receiver.stop());
    await subscribe(world(), "app_real", receiver.url());
    await sayTo(world(), "app_real", "hello 你好", alice);
    await untilAll(world(), "app_real", "DELIVERED");
    const now = world().clock.now();
    const { items, total } = await list("app_real");
    assert.equal(total, 1);
    const [item] = items;
    const { eventId } = JSON.parse(receiver.requests[0]?.body.toString("utf8") ?? "");
    assert.deepEqual(Object.entries(item), [
      ["eventId", eventId],
      ["eventType", "im.message.receive_v1"],
      ["status", "DELIVERED"],
      ["attemptCount", 1],
      ["createdAt", now],
      ["nextAttemptAt", null],
      ["lastStatus", 200],
      ["lastReason", null],
    ]);

    const { body, attempts, ...head } = await read("app_real", eventId);
    assert.deepEqual(head, item);
    assert.equal(JSON.stringify(body), receiver.requests[0]?.body.toString("utf8"));
    assert.equal(attempts.length, 1);
    const [{ durationMs, phases, ...attempt }] = attempts;
    assert.deepEqual(attempt, {
      at: now,
      address: "127.0.0.1",
      status: 200,
      reason: null,
      detail: null,
      answer: "thanks ✓",
      nextAttemptAt: null,
    });
    assert.ok(Number.isInteger(durationMs) && durationMs >= 0);
    assert.deepEqual(Object.keys(phases), ["dnsMs", "connectMs", "tlsMs", "firstByteMs"]);
    const asFellow = await ConsoleClient.logIn(world(), fellow);
    assert.deepEqual((await asFellow.ok("GET", "apps/app_real/deliveries")).items, [item]);
  });
  test("an answer that is not valid HTTP: the attempt says what was wrong with it", async (t) => {
    const answers = [
      "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\nok",
      "HTTP/1.1 200 OK\ncontent-length: 2\n\nok",
    ];
    const receiver = await startReceiver({
      respond: (_received, response) => void socketOf(response).end(answers[receiver.requests.length - 1] ?? ""),
    });
    t.after(() => receiver.stop());
    await subscribe(world(), "app_bad", receiver.url());
    for (const states of [["RETRYING"], ["RETRYING", "RETRYING"]] as const) {
      await sayTo(world(), "app_bad", "hello", alice);
      await untilAll(world(), "app_bad", ...states);
    }
    const { items } = await list("app_bad");
    const records = await Promise.all(ids(items).map((eventId) => read("app_bad", eventId)));
    assert.deepEqual(
      records.map(({ lastReason, attempts: [{ detail }] }) => [lastReason, detail]),
      [
        [
          "bad-response",
          "The answer is not valid HTTP/1.1: a line of its head ends with a line feed alone, instead of CRLF.",
        ],
        ["bad-response", "The answer is not valid HTTP/1.1: it has two Content-Length lines."],
      ],
    );
  });
  test("an event that is DROPPED at once has its reason in the list and in its details", async () => {
    await sayTo(world(), "app_dropped", "nobody", alice);
    await subscribe(world(), "app_dropped", "https://receiver.test/", undefined, "INACTIVE");
    await sayTo(world(), "app_dropped", "paused", alice);
    const { items } = await list("app_dropped");
    assert.deepEqual(
      items.map(({ status, lastStatus, lastReason }: Delivery) => [status, lastStatus, lastReason]),
      [
        ["DROPPED", null, "subscription-inactive"],
        ["DROPPED", null, "no-subscription"],
      ],
    );
    const { attempts, lastReason } = await read("app_dropped", items[1].eventId);
    assert.deepEqual([attempts, lastReason], [[], "no-subscription"]);
  });
  test("the body is returned as its original text", async () => {
    const body = `{"n":12345678901234567890,"x":1e400,"deep":${"[".repeat(5_000)}${"]".repeat(5_000)},"n":1.0}`;
    await seedDeliveries(world(), "app_body", [{ eventId: "evt_body", body }]);
    const answer = await (await ConsoleClient.logIn(world())).get("apps/app_body/deliveries/evt_body");
    assert.ok(answer.text.includes(`"body":${body},"attempts":[]`), answer.text.slice(0, 500));
  });
  test("newest first, a page at a time", async () => {
    const name = (n: number) => `evt_page_${n}`;
    const range = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, n) => name(from - n));
    await seedDeliveries(
      world(),
      "app_pages",
      Array.from({ length: 120 }, (_, n) => ({ eventId: name(n + 1) })),
    );
    for (const [query, expected, page, pageSize] of [
      ["", range(120, 101), 1, 20],
      ["?page=2", range(100, 81), 2, 20],
      ["?page=6", range(20, 1), 6, 20],
      ["?page=7", [], 7, 20],
      ["?page=1000000", [], 1_000_000, 20],
      ["?pageSize=100", range(120, 21), 1, 100],
      ["?page=2&pageSize=100", range(20, 1), 2, 100],
      ["?page=3&pageSize=1", range(118, 118), 3, 1],
      ["?page=&pageSize=&status=&other=1", range(120, 101), 1, 20],
    ] as const) {
      const answer = await list("app_pages", query);
      assert.deepEqual(ids(answer.items), expected, query);
      assert.deepEqual([answer.total, answer.page, answer.pageSize], [120, page, pageSize]);
    }
  });
  test("filters: each one, combined, and time ranges with both ends included", async () => {
    const at = world().clock.now();
    await seedDeliveries(world(), "app_filter", [
      { eventId: "evt_f1", status: "DELIVERED", createdAt: at - 3 },
      { eventId: "evt_f2", status: "FAILED", createdAt: at - 2, eventType: "card.interaction" },
      { eventId: "evt_f3", status: "EXHAUSTED", createdAt: at - 1 },
      { eventId: "evt_f4", status: "DROPPED", createdAt: at },
      { eventId: "evt_f5", status: "FAILED", createdAt: at },
      { eventId: "evt_f6", status: "RETRYING", createdAt: at, dueAt: at + 3_600_000 },
    ]);
    for (const [query, expected] of [
      ["", "654321"],
      ["status=FAILED", "52"],
      ["status=DROPPED", "4"],
      ["status=PENDING", ""],
      ["eventType=card.interaction", "2"],
      ["eventType=customer.message.created_v1", ""],
      ["status=FAILED&eventType=im.message.receive_v1", "5"],
      [`from=${at}`, "654"],
      [`from=${at - 1}&to=${at - 1}`, "3"],
      [`to=${at - 2}`, "21"],
      [`from=${at - 2}&to=${at - 1}&status=FAILED`, "2"],
      [`from=${at + 1}`, ""],
      ["from=0&to=9007199254740991", "654321"],
      [`from=${at}&to=${at - 1}`, ""],
    ] as const) {
      const { items, total } = await list("app_filter", `?${query}`);
      assert.deepEqual(
        ids(items),
        [...expected].map((n) => `evt_f${n}`),
        query,
      );
      assert.equal(total, expected.length, query);
    }
  });
  for (const [query, named] of [
    ["status=LOST", "status"],
    ["status=failed", "status"],
    ["eventType=im.message", "eventType"],
    ["from=yesterday", "from"],
    ["from=-1", "from"],
    ["from=1.5", "from"],
    ["to=99999999999999999999", "to"],
    ["page=0", "page"],
    ["page=x", "page"],
    ["page=1000001", "page"],
    ["page=1&page=2", "page"],
    ["pageSize=0", "pageSize"],
    ["pageSize=101", "pageSize"],
    ["pageSize=1e1", "pageSize"],
  ] as const) {
    test(`deliveries with ${query} are refused with a message naming it`, async () => {
      const answer = await (await ConsoleClient.logIn(world())).get(`apps/app_list/deliveries?${query}`);
      assertConsoleRefused(answer, 400, new RegExp(named));
    });
  }
  test("nextAttemptAt is the time of the next attempt, and null while one is in progress", async () => {
    const { storage, clock } = world().portico.ctx;
    const now = clock.now();
    await seedDeliveries(world(), "app_due", [{ eventId: "evt_due", status: "RETRYING", dueAt: now + 60_000 }]);
    const item = async () => (await list("app_due")).items[0];
    assert.equal((await item()).nextAttemptAt, now + 60_000);
    const claim = { appId: "app_due", limit: 1, now: now + 60_000, leaseEnd: now + 90_000 };
    const [claimed] = await storage.write((tx) => claimDue(tx, storage.dialect, claim));
    assert.ok(claimed);
    assert.equal((await item()).nextAttemptAt, null);

    const dueAt = now + 120_000;
    const verdict = { status: "RETRYING", dueAt, nextAttemptAt: dueAt, retryCount: 1 } as const;
    const settlement = { delivery: claimed, outcome: { result: failedAttempt(now + 60_000), verdict } };
    assert.deepEqual(await storage.write((tx) => settleClaims(tx, storage.dialect, "app_due", [settlement])), [true]);
    const { status, attemptCount, nextAttemptAt, lastStatus, lastReason } = await item();
    assert.deepEqual(
      [status, attemptCount, nextAttemptAt, lastStatus, lastReason],
      ["RETRYING", 1, now + 120_000, null, "dns"],
    );
    assert.deepEqual((await read("app_due", "evt_due")).attempts, [
      {
        at: now + 60_000,
        address: null,
        status: null,
        reason: "dns",
        detail: "no address",
        durationMs: 12,
        phases: { dnsMs: 12.5, connectMs: null, tlsMs: null, firstByteMs: null },
        answer: "",
        nextAttemptAt: now + 120_000,
      },
    ]);
  });
  test("very many deliveries are all counted and found, without blocking other work", async () => {
    const name = (n: number) => `evt_long_${n}`;
    const failed = new Set([3, 4, 2_500, 2_501, 12_499, 12_500, 24_998, 24_999]);
    await seedDeliveries(
      world(),
      "app_long",
      Array.from({ length: 25_000 }, (_, n) => ({
        eventId: name(n),
        status: failed.has(n) ? ("FAILED" as const) : ("DELIVERED" as const),
        createdAt: n,
      })),
    );
    const all = await list("app_long", "?page=1250");
    assert.equal(all.total, 25_000);
    assert.deepEqual([all.items.at(0).eventId, all.items.at(-1).eventId], [name(19), name(0)]);
    const across = await list("app_long", "?page=151&pageSize=99");
    assert.deepEqual(
      ids(across.items),
      Array.from({ length: 99 }, (_, n) => name(24_999 - 150 * 99 - n)),
    );
    const newestFailed = [...failed].reverse().map(name);
    const found = await list("app_long", "?status=FAILED");
    assert.deepEqual([ids(found.items), found.total], [newestFailed, 8]);
    const second = await list("app_long", "?status=FAILED&pageSize=3&page=2");
    assert.deepEqual([ids(second.items), second.total], [newestFailed.slice(3, 6), 8]);
    const early = await list("app_long", "?from=4&to=2500");
    assert.deepEqual([early.items[0].eventId, early.total], [name(2_500), 2_497]);

    let turns = 0;
    const tick = () => {
      turns++;
      next = setImmediate(tick);
    };
    let next = setImmediate(tick);
    const { db } = world().portico.ctx.storage;
    const measured = await measureDeliveries(db, "app_long", { status: "FAILED" });
    clearImmediate(next);
    assert.ok(turns >= 2, `${turns} turns`);
    const rows = await db
      .selectFrom("deliveries")
      .select("delivery_id")
      .where("event_id", "in", [name(3), name(24_999)])
      .orderBy("delivery_id")
      .execute();
    const [first, last] = rows.map(({ delivery_id }) => delivery_id);
    assert.deepEqual(measured, { total: 8, first, last });
  });
  test("of very many attempts the newest hundred are shown, in order", async () => {
    const { storage } = world().portico.ctx;
    await seedDeliveries(world(), "app_many", [{ eventId: "evt_many" }]);
    const { delivery_id } = await storage.db
      .selectFrom("deliveries")
      .select("delivery_id")
      .where("event_id", "=", "evt_many")
      .executeTakeFirstOrThrow();
    const attempts = Array.from({ length: 130 }, (_, n) => ({
      delivery_id,
      attempt: n + 1,
      at: n + 1,
      address: null,
      status: 200,
      reason: null,
      detail: null,
      duration_ms: 1,
      phases: "{}",
      answer: "",
      next_attempt_at: null,
    }));
    await storage.write(async (tx) => {
      await tx.insertInto("delivery_attempts").values(attempts).execute();
    });
    const shown = (await read("app_many", "evt_many")).attempts.map(({ at }: { at: number }) => at);
    assert.deepEqual(
      shown,
      Array.from({ length: 100 }, (_, n) => n + 31),
    );
  });
  test("an unknown delivery, or another application's, is 404", async () => {
    await seedDeliveries(world(), "app_list", [{ eventId: "evt_mine" }]);
    const client = await ConsoleClient.logIn(world());
    assertConsoleRefused(await client.get("apps/app_list/deliveries/evt_nowhere"), 404, "投递记录不存在");
    assertConsoleRefused(await client.get("apps/app_empty/deliveries/evt_mine"), 404, "投递记录不存在");
    assert.equal((await read("app_list", "evt_mine")).eventId, "evt_mine");
  });
});

/** An attempt whose name lookup found no address. */
function failedAttempt(at: number): AttemptResult {
  const phases = { dnsMs: 12.5, connectMs: null, tlsMs: null, firstByteMs: null };
  return { at, address: null, status: null, reason: "dns", detail: "no address", durationMs: 12.4, phases, answer: "" };
}
