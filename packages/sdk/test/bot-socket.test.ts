import assert from "node:assert/strict";
import { test } from "node:test";
import { type Bot, createBot } from "@portico/sdk";
import { startSocketService } from "./socket-service.ts";

/** A log to look at. */
function recordedLog() {
  const lines: string[] = [];
  const write = (level: string) => (message: string) => lines.push(`${level}: ${message}`);
  return { lines, debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

/** Waits are over at once, and recorded. */
function noWaits() {
  const waitsMs: number[] = [];
  return { waitsMs, random: () => 1, sleep: async (delayMs: number) => waitsMs.push(delayMs) };
}

/** Stops a bot at the end of a test. */
function stopping(bot: Bot): AsyncDisposable {
  return { [Symbol.asyncDispose]: () => bot.stop() };
}

test("a bot connects by a signed handshake, hears an event, and acknowledges it when the listener is done", async () => {
  await using service = await startSocketService();
  const bot = createBot(service.options);
  const gate = Promise.withResolvers<void>();
  const heard: string[] = [];
  bot.on("message", async ({ text, event }) => {
    heard.push(`${event.eventId} ${text}`);
    await gate.promise;
  });
  await bot.start();
  await using _stop = stopping(bot);
  const [connection] = service.connections;
  assert.ok(connection);
  connection.sendMessage("evt_1", "ping");
  connection.sendMessage("evt_2", "in another", { chatId: "g_2" });
  connection.sendMessage("evt_3", "unheard", { chatId: "g_3" });
  assert.deepEqual(connection.frames, []);
  gate.resolve();
  assert.deepEqual(await connection.answerTo("evt_1"), { type: "ack", deliveryId: "evt_1" });
  await Promise.all(["evt_2", "evt_3"].map((id) => connection.answerTo(id)));
  assert.deepEqual(heard, ["evt_1 ping", "evt_2 in another", "evt_3 unheard"]);
});

test("an event whose listener throws is refused without the error's words, and is handled when it comes again", async () => {
  await using service = await startSocketService();
  const log = recordedLog();
  const bot = createBot({ ...service.options, logger: log });
  let failures = 1;
  const errors: unknown[] = [];
  bot.catch((error) => errors.push(error));
  bot.on("message", () => {
    if (failures-- > 0) throw new TypeError("the password is hunter2");
  });
  await bot.start();
  await using _stop = stopping(bot);
  const [connection] = service.connections;
  connection?.sendMessage("evt_1", "a", { deliveryId: "d_1" });
  assert.deepEqual(await connection?.answerTo("d_1"), {
    type: "nack",
    deliveryId: "d_1",
    reason: "a listener failed: TypeError",
  });
  connection?.sendMessage("evt_1", "a", { deliveryId: "d_2" });
  assert.equal((await connection?.answerTo("d_2"))?.type, "ack");
  assert.equal(errors.length, 1);
  assert.deepEqual(
    log.lines.filter((line) => line.startsWith("error")),
    [],
  );
});

test("an event that comes twice is handled once, also while it is being handled", async () => {
  await using service = await startSocketService();
  const bot = createBot(service.options);
  const gate = Promise.withResolvers<void>();
  let handled = 0;
  bot.on("message", async () => {
    handled++;
    await gate.promise;
  });
  await bot.start();
  await using _stop = stopping(bot);
  const [connection] = service.connections;
  connection?.sendMessage("evt_1", "a", { deliveryId: "d_1" });
  connection?.sendMessage("evt_1", "a", { deliveryId: "d_2" });
  gate.resolve();
  await Promise.all([connection?.answerTo("d_1"), connection?.answerTo("d_2")]);
  connection?.sendMessage("evt_1", "a", { deliveryId: "d_3" });
  assert.equal((await connection?.answerTo("d_3"))?.type, "ack");
  assert.equal(handled, 1);
});

test("a body that is no event of its type is refused for good", async () => {
  await using service = await startSocketService();
  const bot = createBot({ ...service.options, logger: recordedLog() });
  bot.on("message", () => assert.fail("it is no event"));
  await bot.start();
  await using _stop = stopping(bot);
  const [connection] = service.connections;
  const frame = { type: "event", deliveryId: "d_1", eventId: "evt_1", eventType: "im.message.receive_v1", attempt: 1 };
  connection?.send({ ...frame, timestamp: 1, body: "{}" });
  assert.partialDeepStrictEqual(await connection?.answerTo("d_1"), { type: "nack", retry: false });
});

test("frames of types that this version does not know are ignored", async () => {
  await using service = await startSocketService();
  const bot = createBot(service.options);
  bot.on("message", () => {});
  await bot.start();
  await using _stop = stopping(bot);
  const [connection] = service.connections;
  for (const text of ["{", "null", "[]", '{"type":"later"}', '{"type":"event"}', '{"type":7}'])
    connection?.socket.send(text);
  connection?.sendMessage("evt_1");
  assert.equal((await connection?.answerTo("evt_1"))?.type, "ack");
});

test("a bot whose listeners will hear nothing warns with the command to run", async () => {
  await using service = await startSocketService({ eventTypes: [] });
  const log = recordedLog();
  const bot = createBot({ ...service.options, logger: log });
  bot.on("message", () => {}).onCardAction("approve", () => {});
  await bot.start();
  await using _stop = stopping(bot);
  const warnings = log.lines.filter((line) => line.startsWith("warn"));
  assert.equal(warnings.length, 2);
  assert.match(warnings[0] ?? "", /portico subscribe app_demo im\.message\.receive_v1 --socket$/);
  assert.match(warnings[1] ?? "", /portico subscribe app_demo card\.interaction --socket$/);
});

test("event types to take are in the handshake", async () => {
  await using service = await startSocketService();
  const bot = createBot({ ...service.options, take: ["im.message.receive_v1", "card.interaction"] });
  await bot.start();
  await bot.stop();
  assert.deepEqual(service.handshakes, ["/api/open/v2/events/stream?take=im.message.receive_v1,card.interaction"]);
});

test("a refusal of the first handshake is thrown, with its code", async () => {
  await using service = await startSocketService();
  const bot = createBot({ ...service.options, appSecret: "wrong" });
  await assert.rejects(bot.start(), { name: "ApiRefusedError", code: "400001", httpStatus: 401 });
  assert.equal(service.handshakes.length, 1);
});

test("a refusal that passes is waited for, as long as the service asks", async () => {
  await using service = await startSocketService();
  service.refusals.push({ status: 500, code: "500000" }, { status: 429, code: "429001", retryAfter: 7 });
  const waits = noWaits();
  const bot = createBot({ ...service.options, ...waits, logger: recordedLog() });
  await bot.start();
  await bot.stop();
  assert.deepEqual(waits.waitsMs, [500, 7_000]);
});

test("a lost connection is made again, with waits that grow, and what was not acknowledged comes to it", async () => {
  await using service = await startSocketService();
  const waits = noWaits();
  const bot = createBot({ ...service.options, ...waits, logger: recordedLog() });
  const heard: string[] = [];
  bot.on("message", ({ text }) => heard.push(text));
  await bot.start();
  await using _stop = stopping(bot);
  for (const text of ["a", "b", "c"]) {
    const next = service.nextConnection();
    service.connections.at(-1)?.socket.terminate();
    const connection = await next;
    connection.sendMessage(`evt_${text}`, text);
    await connection.answerTo(`evt_${text}`);
  }
  assert.deepEqual(heard, ["a", "b", "c"]);
  assert.deepEqual(waits.waitsMs, [500, 1_000, 2_000]);
});

test("before a restart of the service a bot connects again, and still acknowledges by the connection that ends", async () => {
  await using service = await startSocketService();
  const bot = createBot({ ...service.options, ...noWaits(), logger: recordedLog() });
  const gate = Promise.withResolvers<void>();
  bot.on("message", ({ text }) => (text === "slow" ? gate.promise : undefined));
  await bot.start();
  await using _stop = stopping(bot);
  const [first] = service.connections;
  first?.sendMessage("evt_1", "slow");
  const next = service.nextConnection();
  first?.goodbye("restart");
  const second = await next;
  second.sendMessage("evt_2", "quick", { chatId: "g_2" });
  await second.answerTo("evt_2");
  gate.resolve();
  assert.equal((await first?.answerTo("evt_1"))?.type, "ack");
});

test("after the goodbye stalled a bot warns, connects again, and answers what its listeners have finished late", async () => {
  await using service = await startSocketService();
  const log = recordedLog();
  const bot = createBot({ ...service.options, ...noWaits(), logger: log });
  const gate = Promise.withResolvers<void>();
  let handled = 0;
  bot.on("message", async () => {
    handled++;
    await gate.promise;
  });
  await bot.start();
  await using _stop = stopping(bot);
  const [first] = service.connections;
  first?.sendMessage("evt_1");
  const next = service.nextConnection();
  first?.goodbye("stalled");
  const second = await next;
  second.sendMessage("evt_1", "hello", { deliveryId: "d_2" });
  gate.resolve();
  assert.equal((await first?.answerTo("evt_1"))?.type, "ack");
  assert.equal((await second.answerTo("d_2")).type, "ack");
  assert.equal(handled, 1);
  assert.ok(log.lines.some((line) => /^warn: .*not answered within 8\.0 s.*connecting again$/.test(line)));
});

test("stop waits until the service has closed the connection, which it does when it has taken all answers", async () => {
  await using service = await startSocketService();
  const bot = createBot(service.options);
  bot.on("message", () => {});
  await bot.start();
  const [connection] = service.connections;
  assert.ok(connection);
  const { socket } = connection;
  const close = socket.close.bind(socket);
  const asked = Promise.withResolvers<void>();
  socket.close = () => asked.resolve();
  connection.sendMessage("evt_1");
  await connection.answerTo("evt_1");
  let isStopped = false;
  const stopped = bot.stop().then(() => {
    isStopped = true;
  });
  await asked.promise;
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isStopped, false);
  close(1000);
  await stopped;
});

for (const reason of ["credential", "disabled"] as const) {
  test(`after the goodbye "${reason}" a bot does not connect again, and its end tells why`, async () => {
    await using service = await startSocketService();
    const log = recordedLog();
    const bot = createBot({ ...service.options, ...noWaits(), logger: log });
    await bot.start();
    service.connections[0]?.goodbye(reason);
    assert.equal(await bot.ended, reason);
    assert.equal(service.handshakes.length, 1);
    assert.match(
      log.lines.at(-1) ?? "",
      /^error: the service has ended the connection: the (credential|application) was/,
    );
    await bot.stop();
  });
}

test("a bot that is refused when it connects again gives up", async () => {
  await using service = await startSocketService();
  const bot = createBot({ ...service.options, ...noWaits(), logger: recordedLog() });
  await bot.start();
  service.refusals.push({ status: 403, code: "400005" });
  service.connections[0]?.socket.terminate();
  assert.equal(await bot.ended, "refused");
  await bot.stop();
});

test("stop lets listeners finish, acknowledges what they have done, takes nothing new, and ends the connection", async () => {
  await using service = await startSocketService();
  const bot = createBot(service.options);
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const heard: string[] = [];
  bot.on("message", async ({ text }) => {
    heard.push(text);
    begun.resolve();
    await gate.promise;
  });
  await bot.start();
  const [connection] = service.connections;
  assert.ok(connection);
  connection.sendMessage("evt_1", "a");
  await begun.promise;
  const closed = new Promise<number>((resolve) => connection.socket.once("close", resolve));
  const stopped = bot.stop();
  connection.sendMessage("evt_2", "b");
  gate.resolve();
  assert.equal((await connection.answerTo("evt_1")).type, "ack");
  await stopped;
  assert.equal(await closed, 1000);
  assert.equal(await bot.ended, "stopped");
  assert.deepEqual(heard, ["a"]);
  assert.equal(connection.frames.length, 1);
});

test("stop waits for a listener only as long as it is told", async () => {
  await using service = await startSocketService();
  const bot = createBot(service.options);
  const begun = Promise.withResolvers<void>();
  bot.on("message", async () => {
    begun.resolve();
    await new Promise(() => {});
  });
  await bot.start();
  const [connection] = service.connections;
  connection?.sendMessage("evt_1");
  await begun.promise;
  await bot.stop({ timeoutMs: 10 });
  assert.deepEqual(connection?.frames, []);
});

test("a connection of which nothing is heard for two heartbeats is made again", async () => {
  await using service = await startSocketService({ heartbeatMs: 200 });
  const bot = createBot({ ...service.options, ...noWaits(), logger: recordedLog() });
  const next = service.nextConnection();
  await bot.start();
  await using _stop = stopping(bot);
  await next;
  const again = service.nextConnection();
  // The service is there, and says nothing: it does not even answer pings.
  const socket = service.connections[0]?.socket as unknown as { _socket: { pause(): void } };
  socket._socket.pause();
  const [connection] = [await again];
  connection.sendMessage("evt_1");
  bot.on("message", () => {});
  assert.equal((await connection.answerTo("evt_1")).type, "ack");
});

test("a bot is started once at a time", async () => {
  await using service = await startSocketService();
  const bot = createBot(service.options);
  await bot.start();
  await assert.rejects(bot.start(), /has been started/);
  await bot.stop();
  await bot.start();
  await bot.stop();
  assert.equal(service.handshakes.length, 2);
});
