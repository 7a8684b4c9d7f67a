import assert from "node:assert/strict";
import { test } from "node:test";
import { fastifyWebhook } from "@portico/sdk";
import fastify from "fastify";
import { deliveryOf, messageEvent, post } from "./webhook-delivery.ts";
import { recorder } from "./webhook-server.ts";

const DELIVERY = deliveryOf(messageEvent());

async function startFastify() {
  const { events, errors, options } = recorder();
  const server = fastify();
  server.post("/echo", async (request) => request.body);
  await server.register(fastifyWebhook({ url: "/webhook", ...options }), { prefix: "/bot" });
  const address = await server.listen({ host: "127.0.0.1", port: 0 });
  const close = () => server.close();
  return { address, url: `${address}/bot/webhook`, events, errors, [Symbol.asyncDispose]: close };
}

test("a delivery to a Fastify route is handled with its raw body", async () => {
  await using server = await startFastify();
  const response = await post(server.url, DELIVERY);
  assert.deepEqual([response.status, await response.json()], [200, { result: "handled" }]);
  assert.equal(response.headers.get("content-type"), "application/json; charset=utf-8");
  assert.deepEqual(server.events, [messageEvent()]);
});

test("the parsers of other routes do not change", async () => {
  await using server = await startFastify();
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${server.address}/echo`, { method: "POST", headers, body: '{"a":1}' });
  assert.deepEqual(await response.json(), { a: 1 });
});

test("refusals are answered as by every receiver", async () => {
  await using server = await startFastify();
  const large = deliveryOf({ ...messageEvent(), filling: "x".repeat(2_000) });
  assert.equal((await post(server.url, large)).status, 413);
  assert.equal((await post(server.url, deliveryOf(messageEvent(), { secret: "other" }))).status, 425);
  assert.equal((await fetch(server.url)).status, 405);
  assert.equal((await fetch(server.url, { method: "POST" })).status, 415);
  const headers = { "content-type": "application/json" };
  assert.equal((await fetch(server.url, { method: "POST", headers, body: "" })).status, 401);
  const verification = JSON.stringify({ type: "url_verification", challenge: "c" });
  const verified = await fetch(server.url, { method: "POST", headers, body: verification });
  assert.deepEqual([verified.status, await verified.json()], [200, { challenge: "c" }]);
  assert.equal(server.events.length, 0);
});

test("a chunked body over the limit is refused, and the sender gets the answer", async () => {
  await using server = await startFastify();
  const body = new ReadableStream({
    start(controller) {
      for (let count = 0; count < 64; count++) controller.enqueue(new Uint8Array(64 * 1024));
      controller.close();
    },
  });
  const { headers } = DELIVERY;
  assert.equal((await fetch(server.url, { method: "POST", headers, body, duplex: "half" })).status, 413);
});
