import assert from "node:assert/strict";
import { test } from "node:test";
import { createBot, fetchHandler } from "@portico/sdk";
import { CREDENTIAL } from "./service.ts";
import { startSocketService } from "./socket-service.ts";
import { deliveryOf, messageEvent, NOW, SECRET } from "./webhook-delivery.ts";
import { serve } from "./webhook-server.ts";

const DELIVERY = deliveryOf(messageEvent());
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

async function post(url: string, { headers, body } = DELIVERY) {
  const response = await fetch(url, { method: "POST", headers, body: new Uint8Array(body) });
  return { status: response.status, body: await response.json() };
}

test("the same listeners hear events by webhook; one that fails is answered 500, and comes again", async () => {
  const bot = createBot({ ...CREDENTIAL, baseUrl: "http://127.0.0.1:9", clock: () => NOW, logger: quiet });
  const heard: string[] = [];
  let failures = 1;
  bot.on("message", ({ event }) => {
    heard.push(event.eventId);
    if (failures-- > 0) throw new Error("not now");
  });
  await using server = await serve(bot.webhook({ secret: SECRET }));
  assert.equal((await post(server.url)).status, 500);
  assert.deepEqual(await post(server.url), { status: 200, body: { result: "handled" } });
  assert.deepEqual(await post(server.url), { status: 200, body: { result: "duplicate" } });
  assert.deepEqual(heard, ["evt_1", "evt_1"]);
});

test("an error of a listener is told once, a wrong signature is a warning", async () => {
  const lines: string[] = [];
  const write = (level: string) => (message: string) => lines.push(`${level}: ${message}`);
  const logger = { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
  const bot = createBot({ ...CREDENTIAL, baseUrl: "http://127.0.0.1:9", clock: () => NOW, logger });
  bot.on("message", () => {
    throw new Error("broken");
  });
  await using server = await serve(bot.webhook({ secret: SECRET }));
  await post(server.url);
  assert.deepEqual(lines, ["error: a listener to im.message.receive_v1 failed; event evt_1 comes again"]);
  lines.length = 0;
  assert.equal((await post(server.url, deliveryOf(messageEvent(), { secret: "another" }))).status, 425);
  assert.match(lines.join(), /^warn: a delivery was refused: the signature/);
});

test("an event that came by socket is not handled again by webhook", async () => {
  await using service = await startSocketService();
  const bot = createBot({ ...service.options, clock: () => NOW });
  let handled = 0;
  bot.on("message", () => handled++);
  await bot.start();
  service.connections[0]?.sendMessage("evt_1");
  await service.connections[0]?.answerTo("evt_1");
  await using server = await serve(bot.webhook({ secret: SECRET }));
  assert.deepEqual((await post(server.url)).body, { result: "duplicate" });
  await bot.stop();
  assert.equal(handled, 1);
});

test("handle serves receivers of every kind", async () => {
  const bot = createBot({ ...CREDENTIAL, baseUrl: "http://127.0.0.1:9" });
  const heard: string[] = [];
  bot.on("message", ({ event }) => heard.push(event.eventId));
  const receive = fetchHandler({ secret: SECRET, clock: () => NOW, onEvent: (event) => bot.handle(event) });
  const { headers, body } = DELIVERY;
  const request = new Request("http://bot/webhook", { method: "POST", headers, body: new Uint8Array(body) });
  assert.equal((await receive(request)).status, 200);
  assert.deepEqual(heard, ["evt_1"]);
});
