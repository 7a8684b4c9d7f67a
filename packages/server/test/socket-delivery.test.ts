import assert from "node:assert/strict";
import { acme, alice, bob, botApp } from "./support/acme.ts";
import { assertSuccess } from "./support/assert-answer.ts";
import { cardOf, HELLO, sendCard, sentId, TO_ALICE } from "./support/card-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { send } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { startReceiver } from "./support/receiver.ts";
import { SocketClient, subscribeBySocket } from "./support/socket-client.ts";
import { deliveriesOf, LOOPBACK_CALLBACKS, LOOPBACK_NETWORK, sayTo, until, untilAll } from "./support/webhooks.ts";
import { suiteWorld } from "./support/world.ts";

const APPS = [
  "app_timeout",
  "app_late",
  "app_redelivered",
  "app_handed",
  "app_poison",
  "app_hold",
  "app_moved",
  "app_back",
  "app_order",
  "app_bound",
  "app_circuit",
  "app_takes",
  "app_gone",
  "app_slow",
  "app_silent",
  "app_alone",
  "app_shared",
  "app_stalled",
  "app_half_open",
  "app_refill",
];
const MESSAGE = "im.message.receive_v1";

onBothEngines("deliveries by socket", (engine, test) => {
  const env = {
    ...LOOPBACK_CALLBACKS,
    PORTICO_WEBHOOK_READ_TIMEOUT: "1500ms",
    PORTICO_WEBHOOK_SOCKET_HOLD: "3h",
  };
  const world = suiteWorld(engine, acme(...APPS.map((appId) => botApp(appId))), env, LOOPBACK_NETWORK);
  const open = SocketClient.opener(world);
  const turn = async (ms: number) => {
    world().clock.turn(ms);
    await world().portico.ctx.webhooks.poll();
  };
  const only = async (appId: string) => {
    const [delivery, ...others] = await deliveriesOf(world(), appId);
    assert.ok(delivery !== undefined && others.length === 0);
    return delivery;
  };

  test("an event that is not answered in time is a failed attempt; its late ack settles it, and its retry is not sent", async (t) => {
    await subscribeBySocket(world(), "app_late");
    const client = await open(t, "app_late", { answering: "nothing" });
    await sayTo(world(), "app_late", "slow", alice);
    const [event] = await client.take(1);
    await untilAll(world(), "app_late", "RETRYING");
    assert.equal((await only("app_late")).last_reason, "ack-timeout");
    client.ack(event ?? { deliveryId: "" });
    await untilAll(world(), "app_late", "DELIVERED");
    await turn(10_000);
    assert.equal(client.events.length, 1);
  });

  test("a late ack does not settle what a person has redelivered since", async (t) => {
    await subscribeBySocket(world(), "app_redelivered");
    const client = await open(t, "app_redelivered", { answering: "nothing" });
    await sayTo(world(), "app_redelivered", "again", alice);
    const [event] = await client.take(1);
    await untilAll(world(), "app_redelivered", "RETRYING");
    const { storage, webhooks, clock } = world().portico.ctx;
    const { redeliver } = await import("../src/domain/webhooks/redelivery/redelivery.ts");
    const ids = [event?.eventId ?? ""];
    assert.equal(await storage.write((tx) => redeliver(tx, "app_redelivered", ids, clock.now())), 1);
    client.ack(event ?? { deliveryId: "" });
    webhooks.due("app_redelivered");
    const [, second] = await client.take(2);
    assert.equal((await only("app_redelivered")).status, "PENDING");
    client.ack(second ?? { deliveryId: "" });
    await untilAll(world(), "app_redelivered", "DELIVERED");
  });

  test("all retries fail: EXHAUSTED", async (t) => {
    await subscribeBySocket(world(), "app_timeout");
    const client = await open(t, "app_timeout", {
      answering: (bot, { deliveryId }) => bot.send({ type: "nack", deliveryId }),
    });
    await sayTo(world(), "app_timeout", "never", alice);
    for (const [index, delayMs] of [10_000, 30_000, 120_000, 600_000, 1_800_000, 7_200_000].entries()) {
      await until(async () => (await only("app_timeout")).attempt_count === index + 1, "the attempt is recorded");
      await turn(delayMs);
    }
    await untilAll(world(), "app_timeout", "EXHAUSTED");
    assert.deepEqual(
      client.events.map(({ attempt }) => attempt),
      [1, 2, 3, 4, 5, 6, 7],
    );
  });

  test("an ended connection hands its events to another at once, in order and as the same attempt", async (t) => {
    await subscribeBySocket(world(), "app_handed");
    const member = await MemberClient.signIn(world(), alice);
    const params = { conversationId: "bot:app_handed" };
    const say = (text: string) => member.api.postMessage({ params, body: { msgType: "text", content: { text } } });
    const first = await open(t, "app_handed", { answering: "nothing" });
    for (const text of ["one", "two", "three"]) await say(text);
    await first.take(3);
    const second = await open(t, "app_handed");
    await say("four");
    await first.take(4);
    assert.equal(second.events.length, 0, "a conversation has one connection");
    first.socket.terminate();
    await second.take(4);
    assert.deepEqual(second.texts, ["one", "two", "three", "four"]);
    assert.deepEqual(
      second.events.map(({ attempt }) => attempt),
      [1, 1, 1, 1],
    );
    await untilAll(world(), "app_handed", "DELIVERED");
    assert.deepEqual([...new Set((await deliveriesOf(world(), "app_handed")).map((row) => row.attempt_count))], [1]);
  });

  test("an event that ends its connection each time: every third end is a failed attempt, and at last it is EXHAUSTED", async (t) => {
    await subscribeBySocket(world(), "app_poison");
    await sayTo(world(), "app_poison", "poison", alice);
    let ends = 0;
    for (const delayMs of [10_000, 30_000, 120_000, 600_000, 1_800_000, 7_200_000, 0]) {
      for (let n = 0; n < 3; n++) {
        const client = await open(t, "app_poison", { answering: "nothing" });
        await client.take(1);
        client.socket.terminate();
        ends++;
        await until(async () => (await only("app_poison")).claimed === 0, "its end is known");
      }
      await until(async () => (await only("app_poison")).attempt_count * 3 === ends, "the third is recorded");
      await turn(delayMs);
    }
    const { status, last_reason: reason, attempt_count: attempts } = await only("app_poison");
    assert.deepEqual([status, reason, attempts, ends], ["EXHAUSTED", "connection-ended", 7, 21]);
  });

  test("without a connection nothing is attempted, and after webhook.socketHold it is EXHAUSTED", async (t) => {
    await subscribeBySocket(world(), "app_hold");
    await sayTo(world(), "app_hold", "waits", alice);
    await turn(3 * 3_600_000 - 1);
    assert.equal((await only("app_hold")).status, "PENDING");
    const { text } = await send(`${world().url}/metrics`);
    assert.match(text, /^portico_socket_due_age_seconds 107\d\d/m);
    await turn(1);
    await untilAll(world(), "app_hold", "EXHAUSTED");
    const { last_reason: reason, attempt_count: attempts } = await only("app_hold");
    assert.deepEqual([reason, attempts], ["no-connection", 0]);
    await sayTo(world(), "app_hold", "in time", alice);
    await turn(3_600_000);
    const client = await open(t, "app_hold");
    await client.take(1);
    assert.deepEqual(client.texts, ["in time"]);
  });

  test("what waits follows the subscription: from webhook to socket", async (t) => {
    const receiver = await startReceiver({ respond: (_received, response) => void response.writeHead(503).end() });
    t.after(() => receiver.stop());
    await subscribeBySocket(world(), "app_moved", MESSAGE, "WEBHOOK", receiver.url());
    await sayTo(world(), "app_moved", "first", alice);
    await untilAll(world(), "app_moved", "RETRYING");
    await subscribeBySocket(world(), "app_moved");
    const client = await open(t, "app_moved");
    await turn(10_000);
    const [event] = await client.take(1);
    assert.equal(event?.attempt, 2);
    await untilAll(world(), "app_moved", "DELIVERED");
    assert.equal(receiver.requests.length, 1);
  });

  test("what waits follows the subscription: from socket to webhook; an ack of a frame before the change counts", async (t) => {
    const receiver = await startReceiver();
    t.after(() => receiver.stop());
    await subscribeBySocket(world(), "app_back");
    const client = await open(t, "app_back", { answering: "nothing" });
    await sayTo(world(), "app_back", "framed", alice);
    const [event] = await client.take(1);
    await subscribeBySocket(world(), "app_back", MESSAGE, "WEBHOOK", receiver.url());
    await sayTo(world(), "app_back", "posted", alice);
    await until(() => receiver.requests.length === 1, "the request");
    client.ack(event ?? { deliveryId: "" });
    await untilAll(world(), "app_back", "DELIVERED");
    assert.deepEqual([receiver.requests.length, client.events.length], [1, 1]);
  });

  test("unsubscribed: what waits is DROPPED", async () => {
    await subscribeBySocket(world(), "app_gone");
    await sayTo(world(), "app_gone", "waits", alice);
    const { storage, webhooks } = world().portico.ctx;
    await storage.write(async (tx) => {
      await tx.deleteFrom("subscriptions").where("app_id", "=", "app_gone").execute();
    });
    webhooks.subscriptionChanged("app_gone");
    await untilAll(world(), "app_gone", "DROPPED");
    assert.equal((await only("app_gone")).last_reason, "no-subscription");
  });

  test("events of a conversation come over one connection in their order, without waiting for acknowledgements", async (t) => {
    await subscribeBySocket(world(), "app_order");
    const clients: SocketClient[] = [];
    // Some are always unanswered, none for too long.
    const answering = (client: SocketClient) => {
      const earlier = client.events.at(-3);
      if (earlier !== undefined) client.ack(earlier);
    };
    for (let n = 0; n < 3; n++) clients.push(await open(t, "app_order", { answering }));
    const members = [await MemberClient.signIn(world(), alice), await MemberClient.signIn(world(), bob)];
    const say = (member: MemberClient | undefined, name: string, n: number) =>
      member?.api.postMessage({
        params: { conversationId: "group:g_team" },
        body: { msgType: "text", content: { text: `@bot ${name} ${n}`, mentions: ["app_order"] } },
      });
    for (let n = 0; n < 20; n++) await Promise.all(members.map((member, index) => say(member, `m${index}`, n)));
    await until(() => clients.reduce((sum, { events }) => sum + events.length, 0) === 40, "all events");
    const used = clients.filter(({ events }) => events.length > 0);
    assert.equal(used.length, 1);
    const seqs = used[0]?.events.map(({ body }) => JSON.parse(body).message.msgSeq) ?? [];
    assert.deepEqual(
      seqs,
      seqs.toSorted((a, b) => a - b),
    );
    for (const event of used[0]?.events.slice(-2) ?? []) used[0]?.ack(event);
    await untilAll(world(), "app_order", "DELIVERED");
  });

  test("at most 100 unacknowledged over a connection; the others follow as it acknowledges", async (t) => {
    await subscribeBySocket(world(), "app_bound");
    const member = await MemberClient.signIn(world(), alice);
    const texts = Array.from({ length: 130 }, (_, n) => `n${n}`);
    for (const text of texts) {
      const params = { conversationId: "bot:app_bound" };
      await member.api.postMessage({ params, body: { msgType: "text", content: { text } } });
    }
    const client = await open(t, "app_bound", { answering: "nothing" });
    await client.take(100);
    await world().portico.ctx.webhooks.poll();
    assert.equal(client.events.length, 100);
    client.answering = "ack";
    for (const event of client.events.slice(0, 100)) client.ack(event);
    await client.take(130);
    assert.deepEqual(client.texts, texts);
    await untilAll(world(), "app_bound", "DELIVERED");
  });

  test("each answer frees a place, which is filled at once, also while deliveries are being claimed", async (t) => {
    await subscribeBySocket(world(), "app_refill");
    const member = await MemberClient.signIn(world(), alice);
    const params = { conversationId: "bot:app_refill" };
    for (let n = 0; n < 140; n++) {
      await member.api.postMessage({ params, body: { msgType: "text", content: { text: `n${n}` } } });
    }
    const client = await open(t, "app_refill", { answering: "nothing" });
    await client.take(100);
    for (let answered = 0; answered < 40; answered += 10) {
      for (const event of client.events.slice(answered, answered + 10)) client.ack(event);
      const sent = answered + 110;
      await until(() => client.events.length === sent, `${sent} are sent before anybody looks again`, 2_500);
    }
  });

  test("an event that is not answered in time ends the bindings of its connection: its retry, and what follows, go to another", async (t) => {
    await subscribeBySocket(world(), "app_silent");
    const first = await open(t, "app_silent", { answering: "nothing" });
    await sayTo(world(), "app_silent", "one", alice);
    await first.take(1);
    const second = await open(t, "app_silent");
    await sayTo(world(), "app_silent", "two", alice);
    await first.take(2);
    for (const { deliveryId } of first.events.slice(1)) first.ack({ deliveryId });
    await until(async () => (await deliveriesOf(world(), "app_silent"))[0]?.status === "RETRYING", "its time is over");
    // It answers others, and does not get this conversation back for that.
    await sayTo(world(), "app_silent", "three", alice);
    await second.take(1);
    await turn(10_000);
    await second.take(2);
    assert.deepEqual(
      [first.texts, second.texts],
      [
        ["one", "two"],
        ["three", "one"],
      ],
    );
    await untilAll(world(), "app_silent", "DELIVERED");
    const attempts = (await deliveriesOf(world(), "app_silent")).map((row) => row.attempt_count);
    assert.deepEqual(attempts, [2, 1, 1]);
  });

  test("a connection that comes after the time is over gets the retry; until then the only one keeps its conversations", async (t) => {
    await subscribeBySocket(world(), "app_alone");
    const first = await open(t, "app_alone", { answering: "nothing" });
    await sayTo(world(), "app_alone", "one", alice);
    await until(async () => (await only("app_alone")).status === "RETRYING", "its time is over");
    first.answering = "ack";
    await sayTo(world(), "app_alone", "two", alice);
    await first.take(2);
    const second = await open(t, "app_alone");
    await sayTo(world(), "app_alone", "three", alice);
    await turn(10_000);
    await second.take(2);
    assert.deepEqual(
      [first.texts, second.texts.toSorted()],
      [
        ["one", "two"],
        ["one", "three"],
      ],
    );
    await untilAll(world(), "app_alone", "DELIVERED");
  });

  test("a conversation that comes back to a connection, after one that takes other types, is its own again", async (t) => {
    await subscribeBySocket(world(), "app_shared");
    const first = await open(t, "app_shared", { answering: "nothing" });
    await sayTo(world(), "app_shared", "one", alice);
    await until(async () => (await only("app_shared")).status === "RETRYING", "its time is over");
    first.answering = "ack";
    const taker = await open(t, "app_shared", { take: ["card.interaction"] });
    const messageId = await sentId(sendCard(world(), "app_shared", cardOf({ tag: "button", text: HELLO }), TO_ALICE));
    const member = await MemberClient.signIn(world(), alice);
    assertSuccess(await member.post(`messages/${messageId}/actions`, { tag: "button" }));
    await taker.take(1);
    await sayTo(world(), "app_shared", "two", alice);
    await first.take(2);
    const second = await open(t, "app_shared");
    await sayTo(world(), "app_shared", "three", alice);
    await first.take(3);
    assert.deepEqual([first.texts, second.texts], [["one", "two", "three"], []]);
  });

  test("three events in a row without an answer in time: goodbye stalled, 1008, and what it had is given to others", async (t) => {
    await subscribeBySocket(world(), "app_stalled");
    const client = await open(t, "app_stalled");
    for (const text of ["a", "b", "c", "d", "e"]) await sayTo(world(), "app_stalled", text, alice);
    await untilAll(world(), "app_stalled", "DELIVERED");
    client.answering = "nothing";
    await sayTo(world(), "app_stalled", "one", alice);
    await untilAll(world(), "app_stalled", "DELIVERED", "RETRYING");
    client.answering = "ack";
    await sayTo(world(), "app_stalled", "two", alice);
    await untilAll(world(), "app_stalled", "DELIVERED", "RETRYING");
    client.answering = "nothing";
    for (const text of ["three", "four", "five", "six"]) await sayTo(world(), "app_stalled", text, alice);
    await until(() => client.frames.at(-1)?.type === "goodbye", "goodbye");
    assert.deepEqual(client.frames.at(-1), { type: "goodbye", reason: "stalled" });
    const three = client.events.find(({ body }) => body.includes('"three"'));
    client.ack(three ?? { deliveryId: "" });
    const next = await open(t, "app_stalled");
    assert.deepEqual(await client.closed, { code: 1008, reason: "stalled" });
    await until(() => next.texts.includes("six"), "what it had in time is given to another connection");
    await turn(10_000);
    await untilAll(world(), "app_stalled", "DELIVERED");
    const attempts = (await deliveriesOf(world(), "app_stalled")).map((row) => row.attempt_count);
    assert.deepEqual(attempts, [1, 1, 1, 1, 1, 2, 1, 1, 2, 2, 1], "three was answered late, six was given back");
  });

  test("a half-open connection beside a healthy one holds no event for longer than the read timeout and the first delay", async (t) => {
    await subscribeBySocket(world(), "app_half_open");
    const member = await MemberClient.signIn(world(), alice);
    const broken = await open(t, "app_half_open", { answering: "nothing" });
    const params = { conversationId: "bot:app_half_open" };
    const say = (text: string) => member.api.postMessage({ params, body: { msgType: "text", content: { text } } });
    await say("n0");
    await broken.take(1);
    broken.socket.pause();
    const healthy = await open(t, "app_half_open");
    await Promise.all(Array.from({ length: 11 }, (_, n) => say(`n${n + 1}`)));
    await until(async () => {
      await turn(10_000);
      return new Set(healthy.texts).size === 12;
    }, "all of them, at the latest with the first retry");
    assert.ok((await deliveriesOf(world(), "app_half_open")).every((row) => row.attempt_count <= 2));
    assert.equal(await world().portico.ctx.webhooks.circuitState("app_half_open"), "NORMAL");
    await untilAll(world(), "app_half_open", "DELIVERED");
    // It would not answer the end of the connection.
    broken.socket.terminate();
  });

  test("failures open the application's circuit: nothing is sent until one is let through", async (t) => {
    await subscribeBySocket(world(), "app_circuit");
    const client = await open(t, "app_circuit", {
      answering: (bot, { deliveryId }) => bot.send({ type: "nack", deliveryId, retry: false }),
    });
    for (let n = 0; n < 5; n++) await sayTo(world(), "app_circuit", `bad ${n}`, alice);
    await until(
      async () => (await world().portico.ctx.webhooks.circuitState("app_circuit")) === "OPEN",
      "the circuit is open",
    );
    const sent = client.events.length;
    await sayTo(world(), "app_circuit", "good", alice);
    await world().portico.ctx.webhooks.poll();
    assert.equal(client.events.length, sent);
    client.answering = "ack";
    await turn(30_000);
    await client.take(sent + 1);
    await until(
      async () => (await world().portico.ctx.webhooks.circuitState("app_circuit")) === "NORMAL",
      "the circuit is closed",
    );
  });

  test("take: what the connection did not settle goes back to the subscription", async (t) => {
    const receiver = await startReceiver();
    t.after(() => receiver.stop());
    await subscribeBySocket(world(), "app_takes", MESSAGE, "WEBHOOK", receiver.url());
    const taker = await open(t, "app_takes", { take: [MESSAGE], answering: "nothing" });
    await sayTo(world(), "app_takes", "taken", alice);
    await taker.take(1);
    assert.equal(receiver.requests.length, 0);
    taker.socket.terminate();
    await until(() => receiver.requests.length === 1, "the request");
    await untilAll(world(), "app_takes", "DELIVERED");
    assert.equal((await only("app_takes")).attempt_count, 1);
  });

  test("a client that reads nothing is bounded and cut off, and its events are not lost", async (t) => {
    await subscribeBySocket(world(), "app_slow");
    const member = await MemberClient.signIn(world(), alice);
    const slow = await open(t, "app_slow", { answering: "nothing" });
    slow.socket.pause();
    const text = "x".repeat(30_000);
    for (let n = 0; n < 60; n++) {
      const params = { conversationId: "bot:app_slow" };
      await member.api.postMessage({ params, body: { msgType: "text", content: { text: `${n} ${text}` } } });
    }
    const { sockets } = world().portico.ctx.webhooks;
    assert.ok([...sockets.roomsOf("app_slow").rooms.values()].every((room) => room <= 100));
    slow.socket.terminate();
    const well = await open(t, "app_slow");
    const numbers = () => new Set(well.texts.map((each) => each.split(" ")[0]));
    await until(async () => {
      await turn(10_000);
      return numbers().size === 60;
    }, "every event");
  });
});
