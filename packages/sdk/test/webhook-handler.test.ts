import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type EventDeduplication,
  memoryDeduplication,
  type WebhookAnswer,
  type WebhookEvent,
  type WebhookOptions,
  webhookHandler,
} from "@portico/sdk";
import { type Delivery, deliveryOf, gate, messageEvent, NOW, SECRET, signedDelivery } from "./webhook-delivery.ts";

const DELIVERY = deliveryOf(messageEvent());

/** A receiver that records its events and errors. */
function receiver(options: Partial<WebhookOptions> = {}) {
  const events: WebhookEvent[] = [];
  const errors: unknown[] = [];
  const handle = webhookHandler({
    secret: SECRET,
    clock: () => NOW,
    onEvent: (event) => events.push(event),
    onError: (error) => errors.push(error),
    ...options,
  });
  const deliver = (delivery: Delivery, method = "POST") => handle({ method, ...delivery });
  return { events, errors, handle, deliver };
}

const bodyOf = ({ body }: WebhookAnswer) => JSON.parse(body);

function verification(body: unknown, headers: Record<string, string> = {}): Delivery {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { headers: { "content-type": "application/json; charset=UTF-8", ...headers }, body: Buffer.from(text) };
}

test("an event is passed to the listener and answered with 200 once it is handled", async () => {
  const handling = gate();
  let answered = false;
  const { events, deliver } = receiver({
    onEvent: async (event) => {
      events.push(event);
      await handling.promise;
    },
  });
  const answer = deliver(DELIVERY).finally(() => {
    answered = true;
  });
  await new Promise(setImmediate);
  assert.deepEqual(events, [messageEvent()]);
  assert.equal(answered, false);
  handling.resolve();
  const { status, headers, body } = await answer;
  assert.deepEqual([status, JSON.parse(body)], [200, { result: "handled" }]);
  assert.equal(headers["content-type"], "application/json; charset=utf-8");
});

test("an event goes to the listener of its type, and without one to onEvent", async () => {
  const heard: string[] = [];
  const { deliver } = receiver({
    on: {
      "im.message.receive_v1": ({ message }) => heard.push(`message ${message.messageId}`),
      "customer.agent.status_v1": ({ agent }) => heard.push(`agent ${agent.agentId}`),
    },
    onEvent: ({ eventType }) => heard.push(`other ${eventType}`),
  });
  await deliver(DELIVERY);
  await deliver(
    deliveryOf({ ...messageEvent("evt_2"), eventType: "customer.agent.status_v1", agent: { agentId: "alice" } }),
  );
  await deliver(deliveryOf({ ...messageEvent("evt_3"), eventType: "future.thing_v9" }));
  await deliver(deliveryOf({ ...messageEvent("evt_4"), eventType: "constructor" }));
  assert.deepEqual(heard, ["message 7", "agent alice", "other future.thing_v9", "other constructor"]);
});

test("an event without listener is acknowledged and not remembered", async () => {
  const deduplication = memoryDeduplication();
  const { deliver } = receiver({ on: {}, onEvent: undefined, deduplication });
  const answer = await deliver(DELIVERY);
  assert.deepEqual([answer.status, bodyOf(answer)], [200, { result: "ignored" }]);
  assert.equal(deduplication.claim("evt_1"), "new");
});

test("an incorrectly signed request gets the reason; only one without delivery headers is not delivered again", async () => {
  const { events, errors, deliver } = receiver();
  for (const [delivery, status, error, message] of [
    [deliveryOf(messageEvent(), { secret: "other" }), 425, "signature", /is not that of this body/],
    [deliveryOf(messageEvent(), { timestamp: NOW - 300_001 }), 425, "timestamp", /behind the receiver's clock/],
    [verification(messageEvent()), 401, "missing-header", /X-Open-App-Id must be there/],
  ] as const) {
    const answer = await deliver(delivery);
    assert.equal(answer.status, status);
    assert.equal(bodyOf(answer).error, error);
    assert.match(bodyOf(answer).message, message);
  }
  assert.equal(events.length, 0);
  assert.deepEqual(
    errors.map((error) => error instanceof Error && error.name),
    Array(3).fill("WebhookVerificationError"),
  );
});

test("a rotation loses nothing: deliveries signed with the new secret are refused for now until the receiver has it besides the old one", async () => {
  const secrets = { current: [SECRET] };
  const { events, deliver } = receiver({ secret: () => secrets.current });
  const signedAnew = deliveryOf(messageEvent("evt_2"), { secret: "new" });
  assert.equal((await deliver(signedAnew)).status, 425);
  secrets.current = [SECRET, "new"];
  for (const delivery of [DELIVERY, signedAnew]) assert.equal((await deliver(delivery)).status, 200);
  assert.deepEqual(events, [messageEvent(), messageEvent("evt_2")]);
});

test("a signed body that is not an event is answered with 400", async () => {
  const { deliver } = receiver();
  const answer = await deliver(signedDelivery(messageEvent(), Buffer.from("{}")));
  assert.deepEqual([answer.status, bodyOf(answer).error], [400, "body"]);
});

test("a method other than POST is answered with 405 and the allowed method", async () => {
  const { deliver } = receiver();
  for (const method of ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"]) {
    const { status, headers } = await deliver(DELIVERY, method);
    assert.deepEqual([status, headers.allow], [405, "POST"]);
  }
});

test("a content type other than application/json is answered with 415", async () => {
  const { events, handle } = receiver();
  const { "content-type": _, ...untyped } = DELIVERY.headers;
  for (const type of [undefined, "", "text/plain", "application/jsonp", "application/x-www-form-urlencoded"]) {
    const headers = { ...untyped, "content-type": type };
    assert.equal((await handle({ method: "POST", headers, body: DELIVERY.body })).status, 415);
  }
  assert.equal(events.length, 0);
  for (const type of ["application/json", "Application/JSON ; charset=UTF-8"]) {
    const headers = { ...untyped, "content-type": type };
    assert.equal((await handle({ method: "POST", headers, body: DELIVERY.body })).status, 200);
  }
});

test("a body is accepted up to maxBodyBytes, 1 MiB by default", async () => {
  const { deliver } = receiver({ maxBodyBytes: DELIVERY.body.length });
  assert.equal((await deliver(DELIVERY)).status, 200);
  const small = receiver({ maxBodyBytes: DELIVERY.body.length - 1 });
  assert.equal((await small.deliver(DELIVERY)).status, 413);
  assert.equal(small.events.length, 0);
  const event = { ...messageEvent(), filling: "" };
  const room = 1024 * 1024 - Buffer.byteLength(JSON.stringify(event));
  const usual = receiver();
  assert.equal((await usual.deliver(deliveryOf({ ...event, filling: "x".repeat(room) }))).status, 200);
  assert.equal((await usual.deliver(deliveryOf({ ...event, filling: "x".repeat(room + 1) }))).status, 413);
});

test("the verification of the URL is answered with its challenge and raises no event", async () => {
  const { events, deliver } = receiver();
  for (const challenge of ["5f0c", "", "x".repeat(256), "😀".repeat(128), '\u0000"\\']) {
    const answer = await deliver(verification({ type: "url_verification", challenge }));
    assert.deepEqual([answer.status, bodyOf(answer)], [200, { challenge }]);
  }
  assert.equal(events.length, 0);
});

for (const [what, body] of [
  ["a longer challenge", { type: "url_verification", challenge: "x".repeat(257) }],
  ["a challenge that is no text", { type: "url_verification", challenge: 5 }],
  ["no challenge", { type: "url_verification" }],
  ["one more member", { type: "url_verification", challenge: "c", eventId: "evt_1" }],
  ["another type", { type: "URL_VERIFICATION", challenge: "c" }],
  ["a list", [{ type: "url_verification", challenge: "c" }]],
  ["no JSON", "url_verification"],
  ["null", null],
  ["nothing", ""],
  ["more than any challenge takes", `{"type":"url_verification","challenge":"c"}${" ".repeat(4096)}`],
] as const) {
  test(`a request without signature and with ${what} is not a verification of the URL`, async () => {
    assert.equal((await receiver().deliver(verification(body))).status, 401);
  });
}

test("a verification of the URL carries no header of a delivery", async () => {
  const { deliver, events } = receiver();
  const body = { type: "url_verification", challenge: "c" };
  for (const name of Object.keys(DELIVERY.headers).filter((name) => name.startsWith("x-open-"))) {
    assert.equal((await deliver(verification(body, { [name]: "x" }))).status, 401);
  }
  const signed = signedDelivery(messageEvent(), Buffer.from(JSON.stringify(body)));
  assert.equal((await deliver(signed)).status, 400);
  assert.equal(events.length, 0);
});

test("secrets can be looked up by application and event type", async () => {
  const asked: string[][] = [];
  const { deliver } = receiver({
    secret: async (appId, eventType) => {
      asked.push([appId, eventType]);
      return appId === "app_demo" ? ["older", SECRET] : undefined;
    },
  });
  assert.equal((await deliver(DELIVERY)).status, 200);
  const unknown = await deliver(deliveryOf({ ...messageEvent(), appId: "app_other" }));
  assert.deepEqual([unknown.status, bodyOf(unknown).error], [425, "signature"]);
  assert.equal((await deliver(verification({ type: "url_verification", challenge: "c" }))).status, 200);
  assert.deepEqual(asked, [
    ["app_demo", "im.message.receive_v1"],
    ["app_other", "im.message.receive_v1"],
  ]);
});

test("a look-up that fails or returns an empty secret is answered with 500 and reveals nothing", async () => {
  for (const secret of [() => Promise.reject(new Error("vault down")), () => "", () => []]) {
    const { events, errors, deliver } = receiver({ secret });
    const answer = await deliver(deliveryOf(messageEvent(), { secret: "" }));
    assert.equal(answer.status, 500);
    assert.doesNotMatch(answer.body, /vault/);
    assert.deepEqual([events.length, errors.length], [0, 1]);
  }
});

test("invalid options are refused when the receiver is created", () => {
  const onEvent = () => {};
  for (const [options, message] of [
    [{ secret: "", onEvent }, /^secret must be/],
    [{ secret: [], onEvent }, /^secret must be/],
    [{ secret: SECRET }, /^on or onEvent must be given/],
    [{ secret: SECRET, onEvent, toleranceMs: -1 }, /^toleranceMs must be/],
    [{ secret: SECRET, onEvent, maxBodyBytes: Number.NaN }, /^maxBodyBytes must be/],
  ] as const) {
    assert.throws(() => webhookHandler(options), { message });
  }
});

test("an event is handled once, however often it is delivered", async () => {
  const { events, deliver } = receiver();
  assert.deepEqual(bodyOf(await deliver(DELIVERY)), { result: "handled" });
  const later = deliveryOf(messageEvent(), { timestamp: NOW + 1 });
  for (const delivery of [DELIVERY, later]) {
    const answer = await deliver(delivery);
    assert.deepEqual([answer.status, bodyOf(answer)], [200, { result: "duplicate" }]);
  }
  assert.equal(events.length, 1);
});

test("of concurrent deliveries one is handled, and all get its result", async () => {
  const handling = gate();
  let handled = 0;
  const { deliver } = receiver({
    onEvent: () => {
      handled++;
      return handling.promise;
    },
  });
  const answers = Promise.all(Array.from({ length: 20 }, () => deliver(DELIVERY)));
  await new Promise(setImmediate);
  handling.resolve();
  assert.deepEqual(new Set((await answers).map(({ status }) => status)), new Set([200]));
  assert.equal(handled, 1);
});

test("an event whose listener fails is answered with 500 to all its deliveries, and is handled when it is delivered again", async () => {
  let handled = 0;
  const { errors, deliver } = receiver({
    onEvent: async () => {
      handled++;
      if (handled === 1) throw new Error("database at 10.0.0.7 is down");
    },
  });
  const [first, second] = await Promise.all([deliver(DELIVERY), deliver(DELIVERY)]);
  assert.deepEqual([first.status, second.status], [500, 500]);
  assert.doesNotMatch(first.body, /10\.0\.0\.7/);
  assert.match(String(errors[0]), /10\.0\.0\.7/);
  assert.equal((await deliver(DELIVERY)).status, 200);
  assert.equal((await deliver(DELIVERY)).status, 200);
  assert.equal(handled, 2);
});

test("a listener that throws synchronously fails like one whose promise rejects", async () => {
  const { deliver } = receiver({
    onEvent: () => {
      throw new Error("no");
    },
  });
  assert.equal((await deliver(DELIVERY)).status, 500);
});

test("an event that another process is handling is answered with 409, which the service retries", async () => {
  const deduplication = memoryDeduplication();
  const { events, deliver } = receiver({ deduplication });
  await deduplication.claim("evt_1");
  assert.equal((await deliver(DELIVERY)).status, 409);
  deduplication.release("evt_1");
  assert.equal((await deliver(DELIVERY)).status, 200);
  assert.equal(events.length, 1);
});

test("an error of the deduplication fails the delivery only before the event is handled", async () => {
  const fail = () => Promise.reject(new Error("redis down"));
  const memory: EventDeduplication = { claim: () => "new", finish() {}, release() {} };
  const unclaimed = receiver({ deduplication: { ...memory, claim: fail } });
  assert.equal((await unclaimed.deliver(DELIVERY)).status, 500);
  assert.equal(unclaimed.events.length, 0);
  const unfinished = receiver({ deduplication: { ...memory, finish: fail } });
  assert.equal((await unfinished.deliver(DELIVERY)).status, 200);
  assert.match(String(unfinished.errors), /redis down/);
  const onEvent = () => Promise.reject(new Error("no"));
  const unreleased = receiver({ deduplication: { ...memory, release: fail }, onEvent });
  assert.equal((await unreleased.deliver(DELIVERY)).status, 500);
  assert.match(String(unreleased.errors), /redis down.*Error: no/);
});

test("without onError, errors go to standard error, but refusals do not", async (t) => {
  const log = t.mock.method(console, "error", () => {});
  const { deliver } = receiver({ onError: undefined, onEvent: () => Promise.reject(new Error("no")) });
  await deliver(deliveryOf(messageEvent(), { secret: "other" }));
  assert.equal(log.mock.callCount(), 0);
  await deliver(DELIVERY);
  assert.match(String(log.mock.calls[0]?.arguments[0]), /Error: no/);
});
