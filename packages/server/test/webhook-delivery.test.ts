import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { claimDue } from "../src/domain/webhooks/delivery-store.ts";
import { settleClaims } from "../src/domain/webhooks/settle-claims.ts";
import { acme, alice, bob, botApp, call, MESSAGES, sendText } from "./support/acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { MemberClient } from "./support/member.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";
import {
  deliveriesOf,
  isSignedWith,
  LOOPBACK_CALLBACKS,
  LOOPBACK_NETWORK,
  sayTo,
  subscribe,
  until,
  untilAll,
} from "./support/webhooks.ts";
import { suiteWorld, type World } from "./support/world.ts";

const answerWith = (status: number) => (_received: unknown, response: ServerResponse) => {
  response.writeHead(status).end();
};
const DELAYS_MS = [10_000, 30_000, 120_000, 600_000, 1_800_000, 7_200_000];
/** One application for each purpose, so that tests do not affect each other. */
const APPS = [
  "app_direct",
  "app_group",
  "app_card",
  "app_silent",
  "app_unsub",
  "app_off",
  "app_noscope",
  "app_retry",
  "app_reset",
  "app_status",
  "app_rotate",
  "app_moved",
  "app_drop",
  "app_fence",
  "app_disabled",
];

/** Turns the clock and makes the engine look for due deliveries. */
async function turn(world: World, ms: number): Promise<void> {
  world.clock.turn(ms);
  await world.portico.ctx.webhooks.poll();
}

onBothEngines("webhook deliveries", (engine, test) => {
  const apps = APPS.map((appId) => botApp(appId, appId === "app_noscope" ? { scopes: ["bot.message.send"] } : {}));
  const world = suiteWorld(engine, acme(...apps), LOOPBACK_CALLBACKS, LOOPBACK_NETWORK);
  const receiverFor = async (t: { after(fn: () => Promise<void>): void }): Promise<Receiver> => {
    const receiver = await startReceiver();
    t.after(() => receiver.stop());
    return receiver;
  };

  test("im.message.receive_v1: a member writes to the bot", async (t) => {
    const receiver = await receiverFor(t);
    const secret = await subscribe(world(), "app_direct", receiver.url());
    const messageId = await sayTo(world(), "app_direct", "hello 你好", alice);
    await untilAll(world(), "app_direct", "DELIVERED");
    const [received] = receiver.requests;
    assert.ok(received);
    assert.equal(receiver.requests.length, 1);
    assert.ok(isSignedWith(secret, received));
    const { headers } = received;
    const event = JSON.parse(received.body.toString("utf8"));
    assert.deepEqual(
      [headers["content-type"], headers["x-open-app-id"], headers["x-open-event-type"], headers["x-open-event-id"]],
      ["application/json; charset=UTF-8", "app_direct", "im.message.receive_v1", event.eventId],
    );
    const createTime = world().clock.now();
    assert.match(event.eventId, /^evt_[\w-]{27}$/);
    assert.deepEqual(event, {
      eventId: event.eventId,
      eventType: "im.message.receive_v1",
      appId: "app_direct",
      tenantId: "t_acme",
      createTime,
      message: {
        messageId,
        msgSeq: event.message.msgSeq,
        chatId: "u_alice",
        chatType: "user",
        receiveIdType: "user_id",
        msgType: "text",
        content: { text: "hello 你好" },
        mentions: [],
        parentMessageId: null,
        createTime,
      },
      sender: { userId: "u_alice", username: "alice", name: "Alice" },
    });
    const [delivery] = await deliveriesOf(world(), "app_direct");
    assert.equal(delivery?.body, received.body.toString("utf8"));
    assert.deepEqual([delivery.attempt_count, delivery.last_status, delivery.due_at], [1, 200, null]);
  });

  test("im.message.receive_v1: a member mentions the bot in a group, and the event can be replied to", async (t) => {
    const receiver = await receiverFor(t);
    await subscribe(world(), "app_group", receiver.url());
    const member = await MemberClient.signIn(world(), bob);
    const post = (content: object) => member.post("conversations/group:g_team/messages", { msgType: "text", content });
    await post({ text: "nobody in particular" });
    await post({ text: "@bot", mentions: ["app_group", "alice"] });
    // Messages of bots cause no events, even with mentions.
    await sendText(world(), "app_group", "@other", {
      body: JSON.stringify({
        receiveIdType: "group_id",
        receiveId: "g_team",
        msgType: "text",
        content: { text: "hi", mentions: ["app_group", "app_silent"] },
      }),
    });
    await untilAll(world(), "app_group", "DELIVERED");
    assert.equal(receiver.requests.length, 1);
    const { message, sender } = JSON.parse(String(receiver.requests[0]?.body));
    assert.deepEqual(
      [message.chatId, message.chatType, message.receiveIdType, sender.userId],
      ["g_team", "group", "group_id", "u_bob"],
    );
    assert.deepEqual(message.mentions, [
      { userId: "app_group", name: "Bot app_group", isBot: true },
      { userId: "u_alice", name: "Alice", isBot: false },
    ]);
    const reply = {
      receiveIdType: message.receiveIdType,
      receiveId: message.chatId,
      msgType: "text",
      content: { text: "!" },
    };
    const target = `${MESSAGES}/${message.messageId}/reply`;
    const answer = await call(world(), "app_group", { method: "POST", target, body: JSON.stringify(reply) });
    assert.equal(answer.status, 200, answer.text);
  });

  test("card.interaction: a member acts on a card of the application", async (t) => {
    const receiver = await receiverFor(t);
    const secret = await subscribe(world(), "app_card", receiver.url(), "card.interaction");
    const card = { schema: "2.0", body: { elements: [{ tag: "button", value: { build: 1 } }] } };
    const body = { receiveIdType: "group_id", receiveId: "g_team", msgType: "card", content: { card } };
    const sent = await call(world(), "app_card", { method: "POST", target: MESSAGES, body: JSON.stringify(body) });
    const { messageId } = sent.json.value;
    const member = await MemberClient.signIn(world(), alice);
    const action = { tag: "button", name: "run", value: { build: 1, deep: [[[]]] } };
    await member.post(`messages/${messageId}/actions`, action);
    await untilAll(world(), "app_card", "DELIVERED");
    const [received] = receiver.requests;
    assert.ok(received && isSignedWith(secret, received));
    const event = JSON.parse(received.body.toString("utf8"));
    assert.deepEqual(event.action, { type: "platform-card:action", ...action, option: null, formValue: null });
    assert.deepEqual(event.message, {
      messageId,
      chatId: "g_team",
      chatType: "group",
      receiveIdType: "group_id",
      cardVersion: 1,
    });
    assert.deepEqual(event.operator, { userId: "u_alice", username: "alice", name: "Alice" });
  });

  for (const [what, appId, status, reason] of [
    ["no subscription", "app_unsub", null, "no-subscription"],
    ["an INACTIVE subscription", "app_off", "INACTIVE", "subscription-inactive"],
  ] as const) {
    test(`${what} at delivery time: the event is DROPPED, and not sent after a later subscription`, async (t) => {
      const receiver = await receiverFor(t);
      if (status !== null) await subscribe(world(), appId, receiver.url(), undefined, status);
      await sayTo(world(), appId, "unheard", alice);
      assert.deepEqual(
        (await deliveriesOf(world(), appId)).map(({ status, due_at, last_reason }) => [status, due_at, last_reason]),
        [["DROPPED", null, reason]],
      );
      await subscribe(world(), appId, receiver.url());
      await turn(world(), 60_000);
      await sayTo(world(), appId, "heard", alice);
      await untilAll(world(), appId, "DELIVERED", "DROPPED");
      assert.deepEqual(
        receiver.requests.map(({ body }) => JSON.parse(body.toString()).message.content.text),
        ["heard"],
      );
    });
  }

  test("an application without the scope gets no events, subscribed or not", async (t) => {
    const receiver = await receiverFor(t);
    await subscribe(world(), "app_noscope", receiver.url());
    await sayTo(world(), "app_noscope", "psst", alice);
    assert.deepEqual(await deliveriesOf(world(), "app_noscope"), []);
  });

  test("the whole retry schedule: 6 retries at 10 s, 30 s, 2 min, 10 min, 30 min, 2 h, then EXHAUSTED", async (t) => {
    const receiver = await receiverFor(t);
    receiver.respond = answerWith(503);
    const secret = await subscribe(world(), "app_retry", receiver.url());
    await sayTo(world(), "app_retry", "again", alice);
    const delivery = async () => (await deliveriesOf(world(), "app_retry"))[0];
    for (const [index, delayMs] of DELAYS_MS.entries()) {
      await until(async () => (await delivery())?.retry_count === index + 1, `retry ${index + 1} is scheduled`);
      assert.equal((await delivery())?.status, "RETRYING");
      assert.equal((await delivery())?.due_at, world().clock.now() + delayMs);
      await turn(world(), delayMs - 1);
      assert.equal(receiver.requests.length, index + 1, "not a millisecond early");
      await turn(world(), 1);
      await until(() => receiver.requests.length === index + 2, `attempt ${index + 2}`);
    }
    await untilAll(world(), "app_retry", "EXHAUSTED");
    await turn(world(), 86_400_000);
    assert.equal(receiver.requests.length, 7);
    const [first] = receiver.requests;
    assert.ok(first);
    for (const received of receiver.requests) {
      assert.ok(received.body.equals(first.body), "the body is the same to the byte");
      assert.equal(received.headers["x-open-event-id"], first.headers["x-open-event-id"]);
      assert.ok(isSignedWith(secret, received));
    }
    const timestamps = new Set(receiver.requests.map(({ headers }) => headers["x-open-timestamp"]));
    assert.equal(timestamps.size, 7, "each attempt has a timestamp of its own");
    const attempts = await world()
      .portico.ctx.storage.db.selectFrom("delivery_attempts")
      .selectAll()
      .where("delivery_id", "=", (await delivery())?.delivery_id ?? 0)
      .orderBy("attempt")
      .execute();
    assert.deepEqual(
      attempts.map((attempt) => [attempt.attempt, attempt.status, attempt.address]),
      Array.from({ length: 7 }, (_, n) => [n + 1, 503, "127.0.0.1"]),
    );
  });

  test("a receiver that resets kept connections gets one request for each recorded attempt", async (t) => {
    const receiver = await receiverFor(t);
    await subscribe(world(), "app_reset", receiver.url());
    await sayTo(world(), "app_reset", "kept", alice);
    await untilAll(world(), "app_reset", "DELIVERED");
    receiver.respond = (received) => receiver.reset(received);
    await sayTo(world(), "app_reset", "lost", alice);
    await untilAll(world(), "app_reset", "DELIVERED", "RETRYING");
    receiver.respond = answerWith(200);
    await turn(world(), 10_000);
    await untilAll(world(), "app_reset", "DELIVERED", "DELIVERED");
    const made = (await deliveriesOf(world(), "app_reset")).map(({ attempt_count }) => attempt_count);
    assert.deepEqual([made, receiver.requests.length], [[1, 2], 3]);
  });

  test("each class of answer: 2xx DELIVERED; 408, 409, 425, 429 and 5xx RETRYING; all others FAILED", async (t) => {
    const receiver = await receiverFor(t);
    const expected = new Map<number, string>([
      ...[200, 201, 202, 204, 299].map((status) => [status, "DELIVERED"] as const),
      ...[408, 409, 425, 429, 500, 502, 503, 504, 599].map((status) => [status, "RETRYING"] as const),
      ...[301, 302, 307, 400, 401, 403, 404, 410, 422].map((status) => [status, "FAILED"] as const),
    ]);
    await subscribe(world(), "app_status", receiver.url());
    for (const [status, state] of expected) {
      // Far enough from the others in time for the circuit.
      world().clock.turn(11_000);
      receiver.respond = answerWith(status);
      const before = receiver.requests.length;
      await sayTo(world(), "app_status", String(status), alice);
      await until(async () => (await deliveriesOf(world(), "app_status")).at(-1)?.last_status === status, `${status}`);
      const delivery = (await deliveriesOf(world(), "app_status")).at(-1);
      assert.equal(delivery?.status, state, String(status));
      assert.ok(receiver.requests.length > before);
      if (state === "RETRYING") {
        receiver.respond = answerWith(200);
        await turn(world(), 10_000);
        await untilAll(world(), "app_status", "DELIVERED", "FAILED");
      }
    }
  });

  test("rotation between attempts: the next is signed with the new secret", async (t) => {
    const receiver = await receiverFor(t);
    receiver.respond = answerWith(500);
    const before = await subscribe(world(), "app_rotate", receiver.url());
    await sayTo(world(), "app_rotate", "turn", alice);
    await untilAll(world(), "app_rotate", "RETRYING");
    const after = await subscribe(world(), "app_rotate", receiver.url());
    receiver.respond = answerWith(200);
    await turn(world(), 10_000);
    await untilAll(world(), "app_rotate", "DELIVERED");
    const [first, second] = receiver.requests;
    assert.ok(first && second);
    assert.deepEqual([isSignedWith(before, first), isSignedWith(after, second)], [true, true]);
    assert.ok(!isSignedWith(before, second));
  });

  test("a callback changed between attempts: the next goes to the new address", async (t) => {
    const [old, moved] = [await receiverFor(t), await receiverFor(t)];
    old.respond = answerWith(500);
    await subscribe(world(), "app_moved", old.url());
    await sayTo(world(), "app_moved", "where", alice);
    await untilAll(world(), "app_moved", "RETRYING");
    await subscribe(world(), "app_moved", moved.url());
    await turn(world(), 10_000);
    await untilAll(world(), "app_moved", "DELIVERED");
    assert.deepEqual([old.requests.length, moved.requests.length], [1, 1]);
  });

  test("deactivation between attempts: DROPPED", async (t) => {
    const receiver = await receiverFor(t);
    receiver.respond = answerWith(500);
    await subscribe(world(), "app_drop", receiver.url());
    await sayTo(world(), "app_drop", "gone", alice);
    await untilAll(world(), "app_drop", "RETRYING");
    await subscribe(world(), "app_drop", receiver.url(), undefined, "INACTIVE");
    await turn(world(), 10_000);
    await untilAll(world(), "app_drop", "DROPPED");
    assert.equal((await deliveriesOf(world(), "app_drop"))[0]?.last_reason, "subscription-inactive");
    assert.equal(receiver.requests.length, 1);
  });

  test("an application disabled between attempts gets no more deliveries", async (t) => {
    const receiver = await receiverFor(t);
    receiver.respond = answerWith(500);
    await subscribe(world(), "app_disabled", receiver.url());
    await sayTo(world(), "app_disabled", "gone", alice);
    await untilAll(world(), "app_disabled", "RETRYING");
    await world().portico.ctx.storage.write(async (tx) => {
      await tx.updateTable("apps").set({ status: "DISABLED" }).where("app_id", "=", "app_disabled").execute();
    });
    await turn(world(), 10_000);
    await untilAll(world(), "app_disabled", "DROPPED");
    assert.equal((await deliveriesOf(world(), "app_disabled"))[0]?.last_reason, "application-not-active");
    assert.equal(receiver.requests.length, 1);
  });

  test("at least once: a result reported without the current claim token changes nothing", async (t) => {
    const receiver = await receiverFor(t);
    receiver.respond = answerWith(500);
    await subscribe(world(), "app_fence", receiver.url());
    await sayTo(world(), "app_fence", "mine", alice);
    await untilAll(world(), "app_fence", "RETRYING");
    const { storage } = world().portico.ctx;
    const now = (await deliveriesOf(world(), "app_fence"))[0]?.due_at ?? 0;
    const claim = (at: number) =>
      storage.write((tx) =>
        claimDue(tx, storage.dialect, { appId: "app_fence", limit: 5, now: at, leaseEnd: at + 1_000 }),
      );
    const [stale] = await claim(now);
    assert.deepEqual(await claim(now + 999), [], "the lease still holds");
    const [fresh] = await claim(now + 1_000);
    assert.ok(stale && fresh);
    const result = {
      at: now,
      address: "127.0.0.1",
      status: 200,
      reason: null,
      detail: null,
      durationMs: 1,
      phases: { dnsMs: 0, connectMs: 0, tlsMs: 0, firstByteMs: 0 },
      answer: "",
    };
    const delivered = { status: "DELIVERED" as const, dueAt: null, nextAttemptAt: null, retryCount: 1 };
    const record = (delivery: typeof stale) =>
      storage.write((tx) =>
        settleClaims(tx, storage.dialect, "app_fence", [{ delivery, outcome: { result, verdict: delivered } }]),
      );
    const held = await deliveriesOf(world(), "app_fence");
    assert.deepEqual(await record(stale), [false]);
    assert.deepEqual(await deliveriesOf(world(), "app_fence"), held);
    assert.equal(held[0]?.attempt_count, 1);
    assert.deepEqual(await record(fresh), [true]);
    assert.deepEqual(await record(fresh), [false], "nor twice");
    assert.equal((await deliveriesOf(world(), "app_fence"))[0]?.attempt_count, 2);
  });
});
