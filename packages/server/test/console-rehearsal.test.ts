import assert from "node:assert/strict";
import { type ArmRehearsalBody, SUCCESS_CODE } from "@portico/protocol";
import { APPS, alice, call, INSTALLATIONS, sendText, textBody } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { auditOf } from "./support/audit.ts";
import { assertConsoleRefused, ConsoleClient, consoleAcme, ownedApp } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { MemberClient } from "./support/member.ts";
import { startReceiver } from "./support/receiver.ts";
import { SocketClient, subscribeBySocket } from "./support/socket-client.ts";
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

const IDS = [
  "limited",
  "failing",
  "expired",
  "slow",
  "lost",
  "timed",
  "ended",
  "twice",
  "unheard",
  "socket",
  "seen",
  "stream",
  "one",
  "over",
];
const MINUTE_MS = 60_000;
const provision = () =>
  consoleAcme(
    ...IDS.map((name) =>
      ownedApp(`app_${name}`, {
        ...(name === "one" && { quota: { perMinute: 1_000, perDay: 1_000, concurrent: 1 } }),
        installations: [{ targetType: "USER", targetId: "u_alice" }, TEAM],
      }),
    ),
  );
const TEAM = { targetType: "GROUP", targetId: "g_team" } as const;

onBothEngines("rehearsing faults", (engine, test) => {
  const world = suiteWorld(engine, provision(), LOOPBACK_CALLBACKS, LOOPBACK_NETWORK);
  const arm = async (appId: string, body: ArmRehearsalBody) => {
    const answer = await (await ConsoleClient.logIn(world())).call("PUT", `apps/${appId}/rehearsal`, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  };
  const state = async (appId: string) =>
    (await (await ConsoleClient.logIn(world())).call("GET", `apps/${appId}/rehearsal`)).json;
  const read = (appId: string) => call(world(), appId, { target: APPS });

  test("CALL_RATE_LIMITED: 429001 with Retry-After as often as was said, and what refused the call is explained", async () => {
    const armed = await arm("app_limited", { fault: "CALL_RATE_LIMITED", times: 2 });
    const endsAt = world().clock.now() + 10 * MINUTE_MS;
    assert.deepEqual(armed.rehearsal, { fault: "CALL_RATE_LIMITED", left: 2, endsAt, delayMs: 0 });
    const refused = await read("app_limited");
    assertRefused(refused, 429, "429001");
    assert.equal(refused.headers["retry-after"], "1");
    assert.equal((await state("app_limited")).rehearsal.left, 1);
    assertRefused(await read("app_limited"), 429, "429001");
    assertSuccess(await read("app_limited"));
    assert.deepEqual(await state("app_limited"), { allowed: true, rehearsal: null });
    const client = await ConsoleClient.logIn(world());
    const { json } = await client.call("GET", `apps/app_limited/requests/${refused.json.reqNo}`);
    assert.deepEqual([json.check, json.details], ["rehearsal", { fault: "CALL_RATE_LIMITED" }]);
    assert.match(json.hints.join(), /portico rehearse --end/);
    const actions = (await auditOf(world(), "app_limited")).map(({ action }) => action);
    assert.ok(actions.includes("rehearsal.arm"));
  });

  test("CALL_FAILS: of concurrent calls exactly as many fail as was said", async () => {
    await arm("app_failing", { fault: "CALL_FAILS", times: 3 });
    const answers = await Promise.all(Array.from({ length: 12 }, () => read("app_failing")));
    const codes = answers.map(({ json }) => json.code);
    assert.deepEqual(
      codes.filter((code) => code !== SUCCESS_CODE),
      ["500000", "500000", "500000"],
    );
  });

  test("CREDENTIAL_EXPIRED: 400001, while other applications' calls pass", async () => {
    await arm("app_expired", { fault: "CREDENTIAL_EXPIRED" });
    assertSuccess(await read("app_limited"));
    assertRefused(await read("app_expired"), 401, "400001");
    assertSuccess(await read("app_expired"));
  });

  test("CALL_SLOW: carried out, late", async () => {
    await arm("app_slow", { fault: "CALL_SLOW", delayMs: 300 });
    const beganAt = performance.now();
    assertSuccess(await read("app_slow"));
    assert.ok(performance.now() - beganAt >= 299);
  });

  test("CALL_ANSWER_LOST: carried out, without an answer; a retry with its clientMessageId gets that", async (t) => {
    await arm("app_lost", { fault: "CALL_ANSWER_LOST" });
    const body = textBody("once", { clientMessageId: "rehearsed" });
    const send = () => sendText(world(), "app_lost", "", { body });
    await assert.rejects(send(), { code: "ECONNRESET" });
    const again = await send();
    assertSuccess(again);
    const member = await MemberClient.signIn(world(), alice);
    const texts = (await member.history("group:g_team")).map(({ messageId, content }) => [messageId, content]);
    assert.deepEqual(texts, [[again.json.value.messageId, { text: "once" }]]);
    const client = await ConsoleClient.logIn(world());
    await t.waitFor(async () => {
      const { json } = await client.call("GET", "apps/app_lost/requests");
      assert.equal(json.items.length, 2);
    });
  });

  test("CALL_ANSWER_LOST: a list that nobody reads gives its place in the quota back", async () => {
    await arm("app_one", { fault: "CALL_ANSWER_LOST" });
    const list = () => call(world(), "app_one", { target: INSTALLATIONS });
    await assert.rejects(list(), { code: "ECONNRESET" });
    assertSuccess(await list());
  });

  test("it ends by itself, and by its owner", async () => {
    await arm("app_timed", { fault: "CALL_FAILS", times: 100, minutes: 5 });
    assertRefused(await read("app_timed"), 500, "500000");
    world().clock.turn(5 * MINUTE_MS);
    assertSuccess(await read("app_timed"));
    assert.deepEqual(await state("app_timed"), { allowed: true, rehearsal: null });
    await arm("app_ended", { fault: "CALL_FAILS", times: 100 });
    assertRefused(await read("app_ended"), 500, "500000");
    const client = await ConsoleClient.logIn(world());
    assert.equal((await client.call("DELETE", "apps/app_ended/rehearsal")).status, 204);
    assertSuccess(await read("app_ended"));
    assert.equal((await client.call("DELETE", "apps/app_ended/rehearsal")).status, 204);
    for (const body of [
      {},
      { fault: "CALL_SLOW", delayMs: 10_001 },
      { fault: "CALL_FAILS", times: 101 },
      { fault: "X" },
    ]) {
      assertConsoleRefused(await client.call("PUT", "apps/app_ended/rehearsal", body), 400);
    }
  });

  test("DELIVERY_TWICE: an event comes again at once, under its id", async (t) => {
    const receiver = await startReceiver();
    t.after(() => receiver.stop());
    await subscribe(world(), "app_twice", receiver.url());
    await arm("app_twice", { fault: "DELIVERY_TWICE" });
    await sayTo(world(), "app_twice", "one", alice);
    await until(() => receiver.requests.length === 2, "two deliveries");
    await untilAll(world(), "app_twice", "DELIVERED");
    await sayTo(world(), "app_twice", "two", alice);
    await until(() => receiver.requests.length === 3, "a third delivery");
    const ids = receiver.requests.map(({ headers }) => headers["x-open-event-id"]);
    assert.equal(ids[0], ids[1]);
    assert.notEqual(ids[1], ids[2]);
  });

  test("DELIVERY_ANSWER_LOST: delivered, recorded as lost, and delivered again by the schedule", async (t) => {
    const receiver = await startReceiver();
    t.after(() => receiver.stop());
    await subscribe(world(), "app_unheard", receiver.url());
    await arm("app_unheard", { fault: "DELIVERY_ANSWER_LOST" });
    await sayTo(world(), "app_unheard", "one", alice);
    await untilAll(world(), "app_unheard", "RETRYING");
    const [lost] = await deliveriesOf(world(), "app_unheard");
    assert.deepEqual([lost?.last_status, lost?.last_reason, lost?.retry_count], [null, "connection-reset", 1]);
    world().clock.turn(2 * MINUTE_MS);
    await world().portico.ctx.webhooks.poll();
    await untilAll(world(), "app_unheard", "DELIVERED");
    assert.equal(receiver.requests.length, 2);
  });

  test("a fault of deliveries that has ended costs no further writes", async (t) => {
    const receiver = await startReceiver();
    t.after(() => receiver.stop());
    await subscribe(world(), "app_over", receiver.url());
    await arm("app_over", { fault: "DELIVERY_TWICE", times: 5, minutes: 1 });
    world().clock.turn(MINUTE_MS);
    const { storage } = world().portico.ctx;
    const writes = t.mock.method(storage, "write");
    await sayTo(world(), "app_over", "one", alice);
    await untilAll(world(), "app_over", "DELIVERED");
    const written = await Promise.all(writes.mock.calls.map(({ result }) => result as Promise<unknown>));
    assert.ok(!written.includes(false), "no failure was asked for");
    assert.equal(receiver.requests.length, 1);
  });

  test("faults of deliveries come by socket, too", async (t) => {
    await subscribeBySocket(world(), "app_socket");
    const client = await SocketClient.opener(world)(t, "app_socket");
    await arm("app_socket", { fault: "DELIVERY_TWICE" });
    await sayTo(world(), "app_socket", "one", alice);
    const events = await client.take(2);
    assert.equal(events[0]?.eventId, events[1]?.eventId);
    await untilAll(world(), "app_socket", "DELIVERED");
  });

  test("a handshake of socket mode is a call, too", async (t) => {
    const open = SocketClient.opener(world);
    await arm("app_stream", { fault: "CALL_ANSWER_LOST" });
    await assert.rejects(open(t, "app_stream"), /socket hang up|ECONNRESET/);
    await arm("app_stream", { fault: "CALL_RATE_LIMITED" });
    await assert.rejects(open(t, "app_stream"), /429/);
    const client = await open(t, "app_stream");
    assert.equal(client.frames[0]?.type, "hello");
  });

  test("calls do not use up what deliveries are to fail, and the other way round", async () => {
    await arm("app_seen", { fault: "DELIVERY_TWICE" });
    assertSuccess(await read("app_seen"));
    assert.equal((await state("app_seen")).rehearsal.left, 1);
  });
});

onBothEngines("rehearsing faults in production", (engine, test) => {
  const world = suiteWorld(engine, provision(), { PORTICO_ENVIRONMENT: "production" });
  test("is refused; what was armed before has no effect", async () => {
    const client = await ConsoleClient.logIn(world());
    const refused = await client.call("PUT", "apps/app_seen/rehearsal", { fault: "CALL_FAILS" });
    assertConsoleRefused(refused, 403);
    assert.equal(refused.json.errorCode, "REHEARSAL_IN_PRODUCTION");
    const { storage, clock } = world().portico.ctx;
    const rehearsed = { rehearsed_fault: "CALL_FAILS" as const, rehearsed_left: 1, rehearsed_delay_ms: 0 };
    const until = { rehearsed_until: clock.now() + MINUTE_MS };
    await storage.write((tx) =>
      tx
        .updateTable("apps")
        .set({ ...rehearsed, ...until })
        .where("app_id", "=", "app_seen")
        .execute(),
    );
    assertSuccess(await call(world(), "app_seen", { target: APPS }));
    assert.deepEqual((await client.call("GET", "apps/app_seen/rehearsal")).json, { allowed: false, rehearsal: null });
  });
});
