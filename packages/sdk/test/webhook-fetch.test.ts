import assert from "node:assert/strict";
import { test } from "node:test";
import { fetchHandler } from "@portico/sdk";
import { type Delivery, deliveryOf, messageEvent } from "./webhook-delivery.ts";
import { recorder } from "./webhook-server.ts";

const DELIVERY = deliveryOf(messageEvent());

function requestOf({ headers, body }: Pick<Delivery, "headers"> & { body: RequestInit["body"] }): Request {
  return new Request("https://receiver.example/webhook", { method: "POST", headers, body, duplex: "half" });
}

const delivered = () => requestOf({ ...DELIVERY, body: new Uint8Array(DELIVERY.body) });

test("a Request is answered with a Response", async () => {
  const { events, options } = recorder();
  const response = await fetchHandler(options)(delivered());
  assert.deepEqual([response.status, await response.json()], [200, { result: "handled" }]);
  assert.equal(response.headers.get("content-type"), "application/json; charset=utf-8");
  assert.deepEqual(events, [messageEvent()]);
});

test("a Request without a body is refused like any other", async () => {
  const { options } = recorder();
  const handle = fetchHandler(options);
  assert.equal((await handle(new Request("https://receiver.example/webhook"))).status, 405);
  const { headers } = DELIVERY;
  const empty = new Request("https://receiver.example/webhook", { method: "POST", headers });
  assert.equal((await handle(empty)).status, 425);
});

test("a stream over the limit is read no further", async () => {
  const { events, options } = recorder();
  let pulled = 0;
  const body = new ReadableStream({
    pull(controller) {
      pulled++;
      controller.enqueue(new Uint8Array(1_000));
    },
  });
  const response = await fetchHandler(options)(requestOf({ ...DELIVERY, body }));
  assert.equal(response.status, 413);
  assert.ok(pulled <= 4, `${pulled} pieces were read`);
  assert.equal(events.length, 0);
});

test("an incomplete body is not an event", async () => {
  const { events, errors, options } = recorder();
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(DELIVERY.body.subarray(0, 100));
      controller.error(new Error("reset"));
    },
  });
  assert.equal((await fetchHandler(options)(requestOf({ ...DELIVERY, body }))).status, 400);
  assert.deepEqual([events, errors], [[], []]);
});

test("a Request whose body has been consumed fails with an explanation", async () => {
  const { options } = recorder();
  const request = delivered();
  await request.json();
  const response = await fetchHandler(options)(request);
  assert.equal(response.status, 500);
  assert.match(await response.text(), /the body has been read before/);
});
