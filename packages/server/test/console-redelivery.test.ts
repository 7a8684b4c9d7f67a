import assert from "node:assert/strict";
import type { AppState, EventType, SubscriptionState } from "@portico/protocol";
import { laneOf } from "../src/domain/webhooks/delivery-lane.ts";
import { alice } from "./support/acme.ts";
import { assertConsoleRefused, ConsoleClient, consoleAcme, ownedApp, seedDeliveries } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";
import {
  deliveriesOf,
  LOOPBACK_CALLBACKS,
  LOOPBACK_NETWORK,
  sayTo,
  subscribe,
  until,
  untilAll,
} from "./support/webhooks.ts";
import { suiteWorld } from "./support/world.ts";

const HOUR = 3_600_000;
const MESSAGE = "im.message.receive_v1";
const SENT_OFF = ["PENDING", "RETRYING", "DELIVERED", "FAILED", "EXHAUSTED"] as const;
const UNHEARD: [string, AppState, SubscriptionState | null][] = [
  ["no subscription", "ACTIVE", null],
  ["an INACTIVE subscription", "ACTIVE", "INACTIVE"],
  ["an application that is not ACTIVE", "DISABLED", "ACTIVE"],
];
const APPS = [
  ...["app_one", "app_dropped", "app_way", "app_race", "app_some", "app_thousand", "app_foreign"],
  ...SENT_OFF.map((status) => `app_${status}`),
  ...UNHEARD.map((_, n) => `app_unheard${n}`),
];
const eventIdsOf = ({ requests }: Receiver) => requests.map(({ headers }) => headers["x-open-event-id"]);

onBothEngines("console: redelivering events", (engine, test) => {
  const world = suiteWorld(
    engine,
    consoleAcme(...APPS.map((appId) => ownedApp(appId))),
    LOOPBACK_CALLBACKS,
    LOOPBACK_NETWORK,
  );
  const receiverFor = async (
    t: { after(fn: () => Promise<void>): void },
    appId: string,
    eventType: EventType = MESSAGE,
  ): Promise<Receiver> => {
    const receiver = await startReceiver();
    t.after(() => receiver.stop());
    await subscribe(world(), appId, receiver.url(), eventType);
    return receiver;
  };
  const setAppStatus = (appId: string, status: AppState) =>
    world().portico.ctx.storage.write(async (tx) => {
      await tx.updateTable("apps").set({ status }).where("app_id", "=", appId).execute();
    });
  const post = async (path: string, body?: unknown) => (await ConsoleClient.logIn(world())).call("POST", path, body);
  const redeliver = (appId: string, eventId: string) => post(`apps/${appId}/deliveries/${eventId}/redeliver`);
  const redeliverMany = (appId: string, eventIds: unknown) => post(`apps/${appId}/deliveries/redeliver`, { eventIds });
  const readDelivery = async (appId: string, eventId: string) =>
    (await ConsoleClient.logIn(world())).ok("GET", `apps/${appId}/deliveries/${eventId}`);

  test("a delivered event is delivered again with the same bytes and event id, and the answer is the item", async (t) => {
    const receiver = await receiverFor(t, "app_one");
    await sayTo(world(), "app_one", "hello", alice);
    await untilAll(world(), "app_one", "DELIVERED");
    world().clock.turn(1_000);
    const [eventId = ""] = eventIdsOf(receiver);
    const answer = await redeliver("app_one", String(eventId));
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.json, {
      eventId,
      eventType: "im.message.receive_v1",
      status: "PENDING",
      attemptCount: 1,
      createdAt: world().clock.now() - 1_000,
      nextAttemptAt: world().clock.now(),
      lastStatus: 200,
      lastReason: null,
    });
    await untilAll(world(), "app_one", "DELIVERED");
    const [first, second] = receiver.requests;
    assert.deepEqual(eventIdsOf(receiver), [eventId, eventId]);
    assert.deepEqual(second?.body, first?.body);
    const { attemptCount, attempts } = await readDelivery("app_one", String(eventId));
    assert.deepEqual([attemptCount, attempts.length], [2, 2]);
  });
  for (const status of SENT_OFF) {
    test(`a ${status} delivery becomes due at once, with all its retries`, async (t) => {
      const appId = `app_${status}`;
      const receiver = await receiverFor(t, appId);
      receiver.respond = (_received, response) => void response.writeHead(500).end();
      const eventId = `evt_${status}`;
      const dueAt = status === "PENDING" || status === "RETRYING" ? world().clock.now() + HOUR : null;
      await seedDeliveries(world(), appId, [{ eventId, status, dueAt }]);
      await world().portico.ctx.storage.write(async (tx) => {
        await tx.updateTable("deliveries").set({ retry_count: 6 }).where("event_id", "=", eventId).execute();
      });
      assert.equal((await redeliver(appId, eventId)).json.nextAttemptAt, world().clock.now());
      await until(() => receiver.requests.length === 1, "it is attempted");
      await untilAll(world(), appId, "RETRYING", "DELIVERED");
      const { nextAttemptAt } = await readDelivery(appId, eventId);
      assert.equal(nextAttemptAt, world().clock.now() + 10_000);
      receiver.respond = (_received, response) => void response.end();
      await redeliver(appId, eventId);
      await untilAll(world(), appId, "DELIVERED");
    });
  }
  test("a DROPPED event is never sent: 409 alone, skipped among several", async (t) => {
    const receiver = await receiverFor(t, "app_dropped");
    await seedDeliveries(world(), "app_dropped", [
      { eventId: "evt_dropped", status: "DROPPED" },
      { eventId: "evt_sent" },
    ]);
    assertConsoleRefused(await redeliver("app_dropped", "evt_dropped"), 409, /丢弃/);
    const answer = await redeliverMany("app_dropped", ["evt_dropped", "evt_sent"]);
    assert.deepEqual([answer.status, answer.json], [200, { redelivered: 1, skipped: 1 }]);
    await until(() => receiver.requests.length > 0, "the other is delivered");
    await untilAll(world(), "app_dropped", "DELIVERED", "DROPPED");
    assert.deepEqual(eventIdsOf(receiver), ["evt_sent"]);
    assert.equal((await readDelivery("app_dropped", "evt_dropped")).status, "DROPPED");
  });
  for (const [n, [what, appStatus, status]] of UNHEARD.entries()) {
    test(`an event without a receiver does not change, so that it is not dropped: ${what}`, async (t) => {
      const [appId, one, other] = [`app_unheard${n}`, `evt_unheard${n}`, `evt_unheard_other${n}`];
      const receiver = await receiverFor(t, appId, "card.interaction");
      if (status !== null) await subscribe(world(), appId, receiver.url(), MESSAGE, status);
      await setAppStatus(appId, appStatus);
      const seeded = [{ eventId: one }, { eventId: other, status: "FAILED" as const }];
      await seedDeliveries(world(), appId, seeded);
      const before = await deliveriesOf(world(), appId);
      assertConsoleRefused(await redeliver(appId, one), 409, /暂不能重新投递/);
      assert.deepEqual((await redeliverMany(appId, [one, other])).json, { redelivered: 0, skipped: 2 });
      assert.deepEqual(await deliveriesOf(world(), appId), before);

      await setAppStatus(appId, "ACTIVE");
      await subscribe(world(), appId, receiver.url());
      assert.equal((await redeliver(appId, one)).status, 200);
      assert.deepEqual((await redeliverMany(appId, [other])).json, { redelivered: 1, skipped: 0 });
      await untilAll(world(), appId, "DELIVERED");
      assert.deepEqual(eventIdsOf(receiver).sort(), [one, other].sort());
    });
  }
  test("the result of an attempt in progress is ignored, and the new attempt delivers the event", async (t) => {
    const receiver = await receiverFor(t, "app_way");
    const held: (() => void)[] = [];
    receiver.respond = (_received, response) => void held.push(() => response.writeHead(500).end());
    await sayTo(world(), "app_way", "hello", alice);
    await until(() => held.length === 1, "it is under way");
    const [eventId = ""] = eventIdsOf(receiver);
    assert.equal((await readDelivery("app_way", String(eventId))).nextAttemptAt, null);
    receiver.respond = (_received, response) => void response.end();
    assert.equal((await redeliver("app_way", String(eventId))).json.nextAttemptAt, world().clock.now());
    await untilAll(world(), "app_way", "DELIVERED");
    for (const release of held) release();
    const { metrics, storage } = world().portico.ctx;
    const isCounted = async () =>
      (await metrics.registry.metrics()).includes('portico_webhook_attempts_total{outcome="5xx"}');
    await until(isCounted, "the first attempt is over");
    // Its result has been written before this.
    await storage.write(async () => {}, laneOf("app_way"));
    const { status, attemptCount, attempts } = await readDelivery("app_way", String(eventId));
    assert.deepEqual([status, attemptCount, attempts.length, receiver.requests.length], ["DELIVERED", 1, 1, 2]);
  });
  test("concurrent redeliveries all count, and the event is delivered", async (t) => {
    const receiver = await receiverFor(t, "app_race");
    const { url } = engine.name === "postgres" ? await world().start() : world();
    await seedDeliveries(world(), "app_race", [{ eventId: "evt_race" }]);
    const client = await ConsoleClient.logIn(world());
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        client.at(n % 2 === 0 ? world() : { url }).call("POST", "apps/app_race/deliveries/evt_race/redeliver"),
      ),
    );
    for (const { status, text } of answers) assert.equal(status, 200, text);
    await untilAll(world(), "app_race", "DELIVERED");
    const [row] = await deliveriesOf(world(), "app_race");
    assert.ok((row?.claim ?? 0) >= 11, `${row?.claim}`);
    assert.ok(receiver.requests.length >= 1);
  });
  test("a selection: unknown and other applications' events are skipped, duplicates count once", async (t) => {
    const receiver = await receiverFor(t, "app_some");
    await seedDeliveries(world(), "app_some", [{ eventId: "evt_s1" }, { eventId: "evt_s2" }, { eventId: "evt_s3" }]);
    await seedDeliveries(world(), "app_foreign", [{ eventId: "evt_foreign" }]);
    const answer = await redeliverMany("app_some", ["evt_s1", "evt_s3", "evt_s1", "evt_foreign", "evt_nowhere"]);
    assert.deepEqual([answer.status, answer.json], [200, { redelivered: 2, skipped: 2 }]);
    await until(() => receiver.requests.length === 2, "both are delivered");
    await untilAll(world(), "app_some", "DELIVERED");
    assert.deepEqual(eventIdsOf(receiver).sort(), ["evt_s1", "evt_s3"]);
    assert.equal((await deliveriesOf(world(), "app_foreign"))[0]?.claim, 0);
    assertConsoleRefused(await redeliver("app_some", "evt_foreign"), 404, "投递记录不存在");
  });
  test("a thousand events at once", async (t) => {
    const receiver = await receiverFor(t, "app_thousand");
    const eventIds = Array.from({ length: 1_000 }, (_, n) => `evt_t${n}`);
    await seedDeliveries(
      world(),
      "app_thousand",
      eventIds.map((eventId) => ({ eventId })),
    );
    assert.deepEqual((await redeliverMany("app_thousand", eventIds)).json, { redelivered: 1_000, skipped: 0 });
    await untilAll(world(), "app_thousand", "DELIVERED");
    assert.deepEqual(eventIdsOf(receiver).sort(), eventIds.sort());
  });
  for (const [what, body, named] of [
    ["nothing", {}, /eventIds/],
    ["no event ids", { eventIds: [] }, /eventIds/],
    ["1,001 event ids", { eventIds: Array(1_001).fill("evt_x") }, /eventIds/],
    ["event ids that are no list", { eventIds: "evt_x" }, /eventIds/],
    ["an event id that is no text", { eventIds: [1] }, /eventIds/],
    ["an event id with NUL", { eventIds: ["\u0000"] }, /eventIds/],
    ["event ids and a range", { eventIds: ["evt_x"], from: 0, to: 1 }, /eventIds.*from/],
    ["event ids and a status", { eventIds: ["evt_x"], status: "FAILED" }, /eventIds.*status/],
    ["a range without its beginning", { to: 1 }, /from/],
    ["a range without its end", { from: 1 }, /to/],
    ["a range that ends before it begins", { from: 2, to: 1 }, /from/],
    ["a time that is a text", { from: "0", to: 1 }, /from/],
    ["a time below zero", { from: -1, to: 1 }, /from/],
    ["an unknown status", { from: 0, to: 1, status: "LOST" }, /status/],
    ["an unknown event type", { from: 0, to: 1, eventType: "x" }, /eventType/],
  ] as const) {
    test(`redelivering ${what} is refused with a message naming it`, async () => {
      assertConsoleRefused(await post("apps/app_some/deliveries/redeliver", body), 400, named);
    });
  }
});
