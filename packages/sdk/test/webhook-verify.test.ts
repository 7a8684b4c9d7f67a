import assert from "node:assert/strict";
import { test } from "node:test";
import { type VerificationFailure, verifyWebhook, WebhookVerificationError } from "@portico/sdk";
import fc from "fast-check";
import { type Delivery, deliveryOf, messageEvent, NOW, SECRET, signedDelivery } from "./webhook-delivery.ts";

const TOLERANCE_MS = 5 * 60_000;
const DELIVERY = deliveryOf(messageEvent());

function verify(delivery: Delivery, { secret = SECRET as string | string[], now = NOW } = {}) {
  return verifyWebhook({ ...delivery, secret, now });
}

function assertFails(delivery: Delivery, reason: VerificationFailure, message = /./, now = NOW): void {
  assert.throws(
    () => verify(delivery, { now }),
    (error) => {
      assert.ok(error instanceof WebhookVerificationError, String(error));
      assert.equal(error.reason, reason);
      assert.match(error.message, message);
      // Neither the secret nor the correct signature.
      assert.doesNotMatch(error.message, /kkk|[0-9a-f]{16}/);
      return true;
    },
  );
}

function withHeader(name: string, value: string): Delivery {
  return { ...DELIVERY, headers: { ...DELIVERY.headers, [name]: value } };
}

// Computed with Python's hmac and with `openssl dgst -sha256 -hmac`.
for (const { name, secret, eventId, eventType, body, signature } of [
  {
    name: "a message with text beyond ASCII",
    secret: SECRET,
    eventId: "evt_1",
    eventType: "im.message.receive_v1",
    body: '{"eventId":"evt_1","eventType":"im.message.receive_v1","appId":"app_demo","tenantId":"t_demo","createTime":1767225600000,"message":{"messageId":7,"msgSeq":3,"chatId":"g_team","chatType":"group","receiveIdType":"group_id","msgType":"text","content":{"text":"早上好 😀"},"mentions":[],"parentMessageId":null,"createTime":1767225600000},"sender":{"userId":"u_alice","username":"alice","name":"Alice"}}',
    signature: "960454fc2b80f5e64839006d2249b6b3e7f034e82048d4ca2e6fa57a84f489c8",
  },
  {
    name: "a card interaction under a secret beyond ASCII",
    secret: "s3cr3t-démo",
    eventId: "evt_2",
    eventType: "card.interaction",
    body: '{"eventId":"evt_2","eventType":"card.interaction","appId":"app_demo","tenantId":"t_demo","createTime":1767225600000,"message":{"messageId":8,"chatId":"u_alice","chatType":"user","receiveIdType":"user_id","cardVersion":2},"action":{"type":"platform-card:action","tag":"button","name":null,"value":{"ok":true},"option":null,"formValue":null},"operator":{"userId":"u_alice","username":"alice","name":"Alice"}}',
    signature: "ed08907c8e423acaf1c210b0fcc1863b6cdee2868a50977e5584b68c6b9e0329",
  },
  {
    name: "an event of a type that is not known yet",
    secret: SECRET,
    eventId: "evt_3",
    eventType: "future.thing_v9",
    body: '{"eventId":"evt_3","eventType":"future.thing_v9","appId":"app_demo","tenantId":"t_demo","createTime":1767225600000,"thing":{"a":[1]}}',
    signature: "c616d326e312457dfa14a0cb989e2a2da4301145260cd8d60f79e67016a62099",
  },
]) {
  test(`the vector of ${name} verifies, as text and as bytes`, () => {
    const headers = {
      "X-Open-App-Id": "app_demo",
      "X-Open-Event-Id": eventId,
      "X-Open-Event-Type": eventType,
      "X-Open-Timestamp": String(NOW),
      "X-Open-Signature": signature,
    };
    assert.deepEqual(verifyWebhook({ headers, body, secret, now: NOW }), JSON.parse(body));
    assert.deepEqual(verifyWebhook({ headers, body: Buffer.from(body), secret, now: NOW }), JSON.parse(body));
  });
}

test("the eventType determines the TypeScript type of an event", () => {
  const event = verify(DELIVERY);
  assert.ok(event.eventType === "im.message.receive_v1");
  const { chatId }: { chatId: string } = event.message;
  assert.equal(chatId, "g_team");
});

test("headers are read from a Headers, a Node record, and a record in any case", () => {
  const upper = Object.fromEntries(
    Object.entries(DELIVERY.headers).map(([name, value]) => [name.toUpperCase(), value]),
  );
  const lists = Object.fromEntries(Object.entries(DELIVERY.headers).map(([name, value]) => [name, [value]]));
  for (const headers of [DELIVERY.headers, upper, lists, new Headers(DELIVERY.headers)]) {
    assert.equal(verifyWebhook({ headers, body: DELIVERY.body, secret: SECRET, now: NOW }).eventId, "evt_1");
  }
});

for (const name of [
  "x-open-app-id",
  "x-open-event-id",
  "x-open-event-type",
  "x-open-timestamp",
  "x-open-signature",
] as const) {
  test(`${name} must be present once and not empty`, () => {
    const words = new RegExp(`^the header ${name} must be there, once$`, "i");
    const { [name]: value = "", ...others } = DELIVERY.headers;
    assertFails({ ...DELIVERY, headers: others }, "missing-header", words);
    assertFails(withHeader(name, ""), "missing-header", words);
    for (const headers of [
      { ...others, [name]: [value, value] },
      { ...others, [name]: undefined },
      { ...DELIVERY.headers, [name.toUpperCase()]: value },
    ]) {
      const request = { headers, body: DELIVERY.body, secret: SECRET, now: NOW };
      assert.throws(() => verifyWebhook(request), { reason: "missing-header", message: words });
    }
  });
}

test("a timestamp is accepted up to exactly 5 minutes to either side", () => {
  for (const timestamp of [NOW - TOLERANCE_MS, NOW + TOLERANCE_MS]) {
    assert.equal(verify(deliveryOf(messageEvent(), { timestamp })).eventId, "evt_1");
  }
  assertFails(deliveryOf(messageEvent(), { timestamp: NOW - TOLERANCE_MS - 1 }), "timestamp", /300001 ms behind/);
  assertFails(deliveryOf(messageEvent(), { timestamp: NOW + TOLERANCE_MS + 1 }), "timestamp", /300001 ms ahead of/);
});

test("tolerance and clock can be given; the default clock is this machine's", () => {
  const now = NOW + 10;
  assert.throws(() => verifyWebhook({ ...DELIVERY, secret: SECRET, now, toleranceMs: 9 }), { reason: "timestamp" });
  assert.equal(verifyWebhook({ ...DELIVERY, secret: SECRET, now, toleranceMs: 10 }).eventId, "evt_1");
  const fresh = deliveryOf(messageEvent(), { timestamp: Date.now() });
  assert.equal(verifyWebhook({ ...fresh, secret: SECRET }).eventId, "evt_1");
});

test("a timestamp is whole milliseconds, in the service's own notation", () => {
  for (const value of [`0${NOW}`, `+${NOW}`, `${NOW}.0`, `${NOW} `, "1.767e12", "0x1", "NaN", "9".repeat(16), "now"]) {
    assertFails(withHeader("x-open-timestamp", value), "timestamp", /not a time in epoch milliseconds/);
  }
});

test("a timestamp other than the signed one is refused", () => {
  assertFails(withHeader("x-open-timestamp", String(NOW + 1)), "signature");
});

test("an event id other than the signed one is refused", () => {
  assertFails(withHeader("x-open-event-id", "evt_2"), "signature");
});

test("an event type or app other than the body's is refused, although neither is signed", () => {
  assertFails(withHeader("x-open-event-type", "card.interaction"), "body", /eventType is not that of the headers/);
  assertFails(withHeader("x-open-app-id", "app_other"), "body", /appId is not that of the headers/);
});

test("only the complete signature in lower-case hex is accepted", () => {
  const signature = DELIVERY.headers["x-open-signature"] ?? "";
  for (const value of [
    signature.toUpperCase(),
    signature.slice(0, -1),
    signature.slice(0, 32),
    `${signature}0`,
    `sha256=${signature}`,
    Buffer.from(signature, "hex").toString("base64"),
    "é".repeat(32),
    "0".repeat(64),
  ]) {
    assertFails(withHeader("x-open-signature", value), "signature");
  }
});

test("a signature with another secret is refused", () => {
  assertFails(deliveryOf(messageEvent(), { secret: "other" }), "signature");
  assertFails(deliveryOf(messageEvent(), { secret: `${SECRET}k` }), "signature");
});

test("any of several secrets may have signed, as during a rotation", () => {
  for (const secret of [[SECRET], ["new", SECRET], [SECRET, "new"], ["a", "b", SECRET]]) {
    assert.equal(verify(DELIVERY, { secret }).eventId, "evt_1");
  }
  assert.throws(() => verify(DELIVERY, { secret: ["new", "newer"] }), { reason: "signature" });
});

test("no secret, or an empty one, is a programming error and not a verification error", () => {
  for (const secret of ["", [], [SECRET, ""]]) {
    assert.throws(() => verify(deliveryOf(messageEvent(), { secret: "" }), { secret }), {
      name: "TypeError",
      message: /^secret must be/,
    });
  }
});

test("a parsed body is a programming error and not a verification error", () => {
  const body = JSON.parse(DELIVERY.body.toString());
  assert.throws(() => verifyWebhook({ ...DELIVERY, body, secret: SECRET, now: NOW }), /must be the raw bytes or text/);
});

test("a signed body that is not an event is distinguished from a wrong signature", () => {
  const event = messageEvent();
  const { tenantId: _, ...withoutTenant } = event;
  for (const [body, message] of [
    ["", /not JSON in UTF-8/],
    ["{", /not JSON in UTF-8/],
    ["null", /not a JSON object/],
    ["[]", /not a JSON object/],
    ['"text"', /not a JSON object/],
    ["{}", /eventId is not that of the headers/],
    [JSON.stringify({ ...event, eventId: "evt_2" }), /eventId is not that of the headers/],
    [JSON.stringify({ ...event, eventType: "card.interaction" }), /eventType is not that/],
    [JSON.stringify(withoutTenant), /no event of the type/],
    [JSON.stringify({ ...event, createTime: "today" }), /no event of the type/],
    [JSON.stringify({ ...event, message: null }), /no event of the type/],
    [JSON.stringify({ ...event, message: { ...event.message, messageId: "7" } }), /no event of the type/],
    [JSON.stringify({ ...event, message: { ...event.message, chatId: 7 } }), /no event of the type/],
    [JSON.stringify({ ...event, sender: [] }), /no event of the type/],
  ] as const) {
    assertFails(signedDelivery(event, Buffer.from(body)), "body", message);
  }
  assertFails(signedDelivery(event, Buffer.from([0x7b, 0xff, 0x7d])), "body", /not JSON in UTF-8/);
  assertFails(signedDelivery(event, Buffer.from(`\ufeff${JSON.stringify(event)}`)), "body", /not JSON in UTF-8/);
});

test("events of customer service have the fields of their types", () => {
  const { message: _, sender: __, ...head } = messageEvent();
  const session = { sessionId: 2, visitorId: "v_1", status: "QUEUED" };
  for (const [eventType, payload, ...wrong] of [
    [
      "customer.message.created_v1",
      { message: { messageId: 1, content: "hi" }, session },
      { session },
      { message: { messageId: "1" }, session },
      { message: { messageId: 1 } },
    ],
    [
      "customer.session.changed_v1",
      { session, change: "created", previousAgentId: null },
      { session },
      { session: { sessionId: 2 }, change: "created" },
      { change: "created" },
    ],
    ["customer.agent.status_v1", { agent: { agentId: "alice" }, previousStatus: "BUSY" }, {}, { agent: {} }],
  ] as const) {
    const event = { ...head, eventType, ...payload };
    assert.deepEqual(verify(deliveryOf(event)), event);
    for (const other of wrong) {
      assertFails(deliveryOf({ ...head, eventType, ...other }), "body", /no event of the type/);
    }
  }
});

test("a card interaction has a message, an action and an operator", () => {
  const { message, sender: operator, ...head } = messageEvent();
  const event = { ...head, eventType: "card.interaction", message, action: { tag: "button" }, operator };
  assert.equal(verify(deliveryOf(event)).eventType, "card.interaction");
  for (const lacking of [{ message: 1 }, { action: null }, { operator: "alice" }]) {
    assertFails(deliveryOf({ ...event, ...lacking }), "body", /no event of the type/);
  }
});

test("additional fields from a later service do no harm", () => {
  const event = { ...messageEvent(), trace: "t", __proto__: null };
  assert.deepEqual(verify(deliveryOf(event)), JSON.parse(JSON.stringify(event)));
});

test("for any body and secret: as signed it is accepted, and with any bit flipped it is refused", () => {
  const text = fc.string({ unit: "binary", maxLength: 40 });
  const secret = fc.string({ unit: "binary", minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(text, secret, fc.nat(), fc.nat(7), (content, secret, position, bit) => {
      const event = { ...messageEvent(), sender: { userId: content, username: content, name: content } };
      const delivery = deliveryOf(event, { secret });
      assert.deepEqual(verify(delivery, { secret }), JSON.parse(delivery.body.toString("utf8")));
      const flipped = Buffer.from(delivery.body);
      const index = position % flipped.length;
      flipped[index] = (flipped[index] ?? 0) ^ (1 << bit);
      assert.throws(() => verify({ ...delivery, body: flipped }, { secret }), { reason: "signature" });
    }),
  );
});
