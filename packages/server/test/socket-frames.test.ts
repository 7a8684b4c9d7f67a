import assert from "node:assert/strict";
import { SOCKET_PATH, type SocketServerFrame } from "@portico/protocol";
import { alice, call, credentialsOf } from "./support/acme.ts";
import { ConsoleClient, consoleAcme, ownedApp } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { SocketClient, subscribeBySocket } from "./support/socket-client.ts";
import { leaveTheEndToTheService, sendTogether } from "./support/together.ts";
import { deliveriesOf, sayTo, until, untilAll } from "./support/webhooks.ts";
import { suiteWorld, World } from "./support/world.ts";

const APPS = [
  "app_ack",
  "app_nack",
  "app_final",
  "app_other",
  "app_error",
  "app_binary",
  "app_large",
  "app_many",
  "app_plain",
  "app_disabled",
  "app_rotated",
  "app_take",
  "app_noscope",
  "app_ping",
  "app_restart",
  "app_ends",
];
const scopesOf = (appId: string) => (appId === "app_noscope" ? { scopes: ["bot.message.send" as const] } : {});
const provision = () =>
  consoleAcme(
    ...APPS.map((appId) =>
      ownedApp(appId, {
        ...scopesOf(appId),
        ...(appId === "app_plain" && { quota: { perMinute: 1_000, perDay: 1_000, concurrent: 1 } }),
      }),
    ),
  );

onBothEngines("the frames of socket mode", (engine, test) => {
  const world = suiteWorld(engine, provision(), { PORTICO_WEBHOOK_SOCKET_HEARTBEAT: "150ms" });
  const open = SocketClient.opener(world);
  const kinds = (frames: readonly SocketServerFrame[]) => frames.map(({ type }) => type);

  test("hello comes first; an event has the webhook's body as a text; ack: DELIVERED", async (t) => {
    await subscribeBySocket(world(), "app_ack");
    const client = await open(t, "app_ack", { answering: "nothing" });
    const [hello] = client.frames;
    assert.ok(hello?.type === "hello");
    assert.deepEqual(hello, {
      type: "hello",
      connectionId: hello.connectionId,
      appId: "app_ack",
      eventTypes: ["im.message.receive_v1"],
      heartbeatMs: 150,
      ackTimeoutMs: 8_000,
    });
    await sayTo(world(), "app_ack", "hello 你好", alice);
    const [event] = await client.take(1);
    const [delivery] = await deliveriesOf(world(), "app_ack");
    assert.ok(event && delivery);
    const { deliveryId, ...others } = event;
    assert.equal(typeof deliveryId, "string");
    assert.deepEqual(others, {
      type: "event",
      eventId: delivery.event_id,
      eventType: "im.message.receive_v1",
      timestamp: world().clock.now(),
      attempt: 1,
      body: delivery.body,
    });
    assert.equal(JSON.parse(event.body).eventId, event.eventId);
    client.ack({ deliveryId: "dlv_unknown" });
    client.ack(event);
    client.ack(event);
    await untilAll(world(), "app_ack", "DELIVERED");
    assert.deepEqual(kinds(client.frames), ["hello", "event"], "an unknown deliveryId is ignored");
    const owner = await ConsoleClient.logIn(world());
    const { attempts, lastStatus, lastReason } = await owner.ok("GET", `apps/app_ack/deliveries/${event.eventId}`);
    const [{ address, status, reason, phases, answer }] = attempts;
    assert.deepEqual([attempts.length, lastStatus, lastReason], [1, null, null]);
    const recorded = { address: "socket", status: null, reason: null, phases: null, answer: "" };
    assert.deepEqual({ address, status, reason, phases, answer }, recorded);
  });

  test("nack: retried by the schedule, with its reason in the record", async (t) => {
    await subscribeBySocket(world(), "app_nack");
    const client = await open(t, "app_nack", { answering: "nothing" });
    await sayTo(world(), "app_nack", "again", alice);
    const [event] = await client.take(1);
    client.send({ type: "nack", deliveryId: event?.deliveryId, reason: "x".repeat(10_000) });
    await untilAll(world(), "app_nack", "RETRYING");
    const owner = await ConsoleClient.logIn(world());
    const { attempts } = await owner.ok("GET", `apps/app_nack/deliveries/${event?.eventId}`);
    assert.deepEqual([attempts[0].reason, attempts[0].answer], ["nack", "x".repeat(4_096)]);
    world().clock.turn(9_999);
    await world().portico.ctx.webhooks.poll();
    assert.equal(client.events.length, 1);
    world().clock.turn(1);
    await world().portico.ctx.webhooks.poll();
    const [, second] = await client.take(2);
    assert.ok(second);
    assert.deepEqual([second.attempt, second.eventId, second.body], [2, event?.eventId, event?.body]);
    assert.notEqual(second.deliveryId, event?.deliveryId);
    client.ack({ deliveryId: event?.deliveryId ?? "" });
    client.ack(second);
    await untilAll(world(), "app_nack", "DELIVERED");
  });

  test("nack with retry false: FAILED", async (t) => {
    await subscribeBySocket(world(), "app_final");
    const client = await open(t, "app_final", {
      answering: (bot, { deliveryId }) => bot.send({ type: "nack", deliveryId, retry: false }),
    });
    await sayTo(world(), "app_final", "never", alice);
    await untilAll(world(), "app_final", "FAILED");
    assert.equal(client.events.length, 1);
  });

  test("an ack counts only from the connection that got the frame", async (t) => {
    await subscribeBySocket(world(), "app_other");
    const clients = [
      await open(t, "app_other", { answering: "nothing" }),
      await open(t, "app_other", { answering: "nothing" }),
    ];
    await sayTo(world(), "app_other", "whose", alice);
    await until(() => clients.some(({ events }) => events.length > 0), "the event");
    const getter = clients.find(({ events }) => events.length > 0);
    const other = clients.find((client) => client !== getter);
    const [event] = getter?.events ?? [];
    assert.ok(event && other);
    other.ack(event);
    other.send("not JSON");
    await until(() => other.frames.some(({ type }) => type === "error"), "its frames are read");
    assert.equal((await deliveriesOf(world(), "app_other"))[0]?.status, "PENDING");
    getter?.ack(event);
    await untilAll(world(), "app_other", "DELIVERED");
  });

  for (const [ending, closed] of [
    [1000, 1000],
    [1001, 1001],
    ["ended", 1006],
    ["destroyed", 1006],
    ["binary", 1003],
  ] as const) {
    test(`answers that arrive in one chunk with the end of the connection (${ending}) count, and are recorded before it is closed`, async (t) => {
      await subscribeBySocket(world(), "app_ends");
      const before = (await deliveriesOf(world(), "app_ends")).length;
      const client = await open(t, "app_ends", { answering: "nothing" });
      for (let n = 0; n < 6; n++) await sayTo(world(), "app_ends", `${ending} ${n}`, alice);
      const events = await client.take(6);
      const answers = events.map(({ deliveryId }, n) =>
        n < 4 ? { type: "ack", deliveryId } : { type: "nack", deliveryId, retry: false },
      );
      if (ending === "binary") sendTogether(client.socket, [...answers, Buffer.from("{}")], "left open");
      else sendTogether(client.socket, answers, ending);
      assert.equal((await client.closed).code, closed);
      const next = await open(t, "app_ends");
      if (closed === 1006) await untilAll(world(), "app_ends", "DELIVERED", "FAILED");
      const rows = (await deliveriesOf(world(), "app_ends")).slice(before);
      assert.deepEqual(
        rows.map(({ status, attempt_count: attempts }) => [status, attempts]),
        events.map((_, n) => [n < 4 ? "DELIVERED" : "FAILED", 1]),
      );
      await world().portico.ctx.webhooks.poll();
      assert.deepEqual(next.texts, []);
      await next.close();
    });
  }

  test("error: to a frame that is no JSON object of a known type; the tenth in a minute closes with 1008", async (t) => {
    const client = await open(t, "app_error");
    for (const frame of ["", "{", "[]", "null", "7", '{"type":"hello"}', "{}", '{"type":7}', '"ack"'])
      client.send(frame);
    await until(() => client.frames.length === 10, "nine errors");
    assert.ok(client.frames.slice(1).every(({ type }) => type === "error"));
    assert.equal(client.socket.readyState, client.socket.OPEN);
    client.send('{"type":"unknown"}');
    assert.equal((await client.closed).code, 1008);
  });

  test("a binary frame closes with 1003, one over 64 KiB with 1009", async (t) => {
    const binary = await open(t, "app_binary");
    binary.socket.send(Buffer.from("{}"));
    assert.equal((await binary.closed).code, 1003);
    const large = await open(t, "app_large");
    large.send(JSON.stringify({ type: "ack", deliveryId: "d", more: "x".repeat(65_000) }));
    large.send("x".repeat(64 * 1024 + 1));
    assert.equal((await large.closed).code, 1009);
  });

  test("once the client has answered the service's close frame, the service ends the connection at once", async (t) => {
    const client = await open(t, "app_binary");
    // Browsers and others leave that to the service.
    leaveTheEndToTheService(client.socket);
    client.socket.send(Buffer.from("{}"));
    await until(() => client.socket.readyState !== client.socket.OPEN, "the close frame");
    const answeredAt = performance.now();
    assert.equal((await client.closed).code, 1003);
    assert.ok(performance.now() - answeredAt < 800);
  });

  test("ping: a client that misses two is ended, one that answers stays", async (t) => {
    const [alive, dead] = [await open(t, "app_ping"), await open(t, "app_ping")];
    let pings = 0;
    alive.socket.on("ping", () => pings++);
    dead.socket.pause();
    const { db } = world().portico.ctx.storage;
    await until(async () => {
      const rows = await db
        .selectFrom("socket_connections")
        .select("app_id")
        .where("app_id", "=", "app_ping")
        .execute();
      return rows.length === 1;
    }, "the dead connection is gone");
    assert.ok(pings >= 2);
    assert.equal(alive.socket.readyState, alive.socket.OPEN);
    dead.socket.resume();
  });

  test("the eleventh connection of an application: 429001 with Retry-After; a place that is free again is taken", async (t) => {
    const clients = [];
    for (let n = 0; n < 10; n++) clients.push(await open(t, "app_many"));
    const credentials = credentialsOf("app_many");
    const attempt = () => SocketClient.tryOpen({ url: world().url, credentials, timestamp: world().clock.now() });
    const refused = await attempt();
    assert.ok(!(refused instanceof SocketClient));
    assert.deepEqual([refused.status, refused.json.code], [429, "429001"]);
    assert.match(String(refused.headers["retry-after"]), /^[1-9]\d*$/);
    await clients[0]?.close();
    let eleventh: Awaited<ReturnType<typeof attempt>> | null = null;
    await until(async () => {
      eleventh = await attempt();
      return eleventh instanceof SocketClient;
    }, "the place is free");
    if ((eleventh as unknown) instanceof SocketClient) t.after(() => (eleventh as unknown as SocketClient).close());
  });

  test("the handshake passes the whole gate, counts as a call, and holds no concurrency slot", async (t) => {
    const plain = await call(world(), "app_plain", { target: SOCKET_PATH });
    assert.deepEqual([plain.status, plain.json.code], [400, "400006"]);
    const before = Number(plain.headers["x-ratelimit-remaining"]);
    await open(t, "app_plain");
    const after = await call(world(), "app_plain", { target: "/api/open/v2/bot/apps" });
    assert.equal(after.status, 200, "though the connection is open and one call at a time is allowed");
    assert.equal(Number(after.headers["x-ratelimit-remaining"]), before - 2);
    const { appId, credentialId } = credentialsOf("app_plain");
    const wrong = { appId, credentialId, appSecret: "wrong" };
    const refused = await SocketClient.tryOpen({
      url: world().url,
      credentials: wrong,
      timestamp: world().clock.now(),
    });
    assert.ok(!(refused instanceof SocketClient));
    assert.deepEqual([refused.status, refused.json.code], [401, "400001"]);
  });

  test("goodbye disabled: within a second; acknowledgements still count; 4403", async (t) => {
    await subscribeBySocket(world(), "app_disabled");
    const client = await open(t, "app_disabled", { answering: "nothing" });
    await sayTo(world(), "app_disabled", "last", alice);
    const [event] = await client.take(1);
    const { storage } = world().portico.ctx;
    await storage.write(async (tx) => {
      await tx.updateTable("apps").set({ status: "DISABLED" }).where("app_id", "=", "app_disabled").execute();
    });
    const causedAt = performance.now();
    await until(() => client.frames.some(({ type }) => type === "goodbye"), "goodbye");
    assert.ok(performance.now() - causedAt < 1_000);
    assert.deepEqual(client.frames.at(-1), { type: "goodbye", reason: "disabled" });
    client.ack(event ?? { deliveryId: "" });
    assert.equal((await client.closed).code, 4403);
    await untilAll(world(), "app_disabled", "DELIVERED");
  });

  test("goodbye credential: when it is revoked; 4401", async (t) => {
    const client = await open(t, "app_rotated");
    const { storage } = world().portico.ctx;
    await storage.write(async (tx) => {
      await tx.deleteFrom("credentials").where("app_id", "=", "app_rotated").execute();
    });
    assert.equal((await client.closed).code, 4401);
    assert.deepEqual(client.frames.at(-1), { type: "goodbye", reason: "credential" });
  });

  test("take: the connection gets a type whatever the subscription; the scope is needed; unknown types are refused", async (t) => {
    const taker = await open(t, "app_take", { take: ["im.message.receive_v1"] });
    const [hello] = taker.frames;
    assert.deepEqual(hello?.type === "hello" && hello.eventTypes, ["im.message.receive_v1"]);
    await sayTo(world(), "app_take", "taken", alice);
    assert.deepEqual((await taker.take(1)).length, 1);
    await untilAll(world(), "app_take", "DELIVERED");
    const refused = async (appId: string, take: string[]) => {
      const timestamp = world().clock.now();
      const answer = await SocketClient.tryOpen({
        url: world().url,
        credentials: credentialsOf(appId),
        timestamp,
        take,
      });
      assert.ok(!(answer instanceof SocketClient));
      return [answer.status, answer.json.code];
    };
    assert.deepEqual(await refused("app_noscope", ["im.message.receive_v1"]), [403, "400007"]);
    assert.deepEqual(await refused("app_take", ["im.message.receive_v2"]), [400, "400006"]);
    await taker.close();
    const before = (await deliveriesOf(world(), "app_take")).length;
    const { db } = world().portico.ctx.storage;
    await until(async () => (await db.selectFrom("socket_takes").selectAll().execute()).length === 0, "it is over");
    await sayTo(world(), "app_take", "to nobody", alice);
    assert.equal((await deliveriesOf(world(), "app_take"))[before]?.status, "DROPPED");
  });
});

onBothEngines("socket mode at a stop and in production", (engine, test) => {
  test("goodbye restart: 1012, and what was not acknowledged comes again after it", async (t) => {
    const world = await World.create(engine, provision());
    t.after(() => world.dispose());
    await subscribeBySocket(world, "app_restart");
    const client = await SocketClient.of(world, "app_restart", { answering: "nothing" });
    await sayTo(world, "app_restart", "one", alice);
    await sayTo(world, "app_restart", "two", alice);
    const [one] = await client.take(2);
    const stopped = world.stop();
    await until(() => client.frames.at(-1)?.type === "goodbye", "goodbye");
    assert.deepEqual(client.frames.at(-1), { type: "goodbye", reason: "restart" });
    client.ack(one ?? { deliveryId: "" });
    assert.equal((await client.closed).code, 1012);
    await stopped;
    await world.start();
    const next = await SocketClient.of(world, "app_restart");
    t.after(() => next.close());
    const [again] = await next.take(1);
    assert.deepEqual([next.texts, again?.attempt], [["two"], 1]);
    await untilAll(world, "app_restart", "DELIVERED");
  });

  test("take in production: 403", async (t) => {
    const world = await World.create(engine, provision(), { PORTICO_ENVIRONMENT: "production" });
    t.after(() => world.dispose());
    const answer = await SocketClient.tryOpen({
      url: world.url,
      credentials: credentialsOf("app_take"),
      timestamp: world.clock.now(),
      take: ["im.message.receive_v1"],
    });
    assert.ok(!(answer instanceof SocketClient));
    assert.deepEqual([answer.status, answer.json.code], [403, "400008"]);
  });
});
