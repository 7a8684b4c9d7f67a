import assert from "node:assert/strict";
import { test } from "node:test";
import { answerJson, startConsole } from "./console-service.ts";
import { createWorkspace } from "./portico.ts";

const NOW = Date.parse("2026-01-31T08:00:00.000Z");
const DELIVERED = {
  eventId: "evt_1",
  eventType: "card.interaction",
  status: "DELIVERED",
  attemptCount: 1,
  createdAt: NOW,
  nextAttemptAt: null,
  lastStatus: 200,
  lastReason: null,
};
const RETRYING = {
  ...DELIVERED,
  eventId: "evt_22",
  status: "RETRYING",
  attemptCount: 2,
  nextAttemptAt: NOW + 30_000,
  lastStatus: null,
  lastReason: "read-timeout",
};
const PENDING = { ...DELIVERED, eventId: "evt_3", status: "PENDING", attemptCount: 0, lastStatus: null };

test("deliveries are listed in a table", async () => {
  await using workspace = await createWorkspace();
  const page = { items: [DELIVERED, RETRYING, PENDING], total: 43, page: 2, pageSize: 20 };
  await using service = await startConsole((response) => answerJson(response, 200, page));
  const { code, stdout, stderr } = await workspace.portico(["deliveries", "app_1", ...service.options]);
  assert.deepEqual([code, stderr], [0, ""]);
  assert.equal(
    stdout,
    `time                      event   type              status     attempts  last          next attempt
2026-01-31T08:00:00.000Z  evt_1   card.interaction  DELIVERED  1         200
2026-01-31T08:00:00.000Z  evt_22  card.interaction  RETRYING   2         read-timeout  2026-01-31T08:00:30.000Z
2026-01-31T08:00:00.000Z  evt_3   card.interaction  PENDING    0         -

page 2 of 3; 43 in all
`,
  );
  assert.equal(service.calls()[0]?.url, "/api/open/console/v1/apps/app_1/deliveries");
});

test("the options filter the list, and --json prints the original answer", async () => {
  await using workspace = await createWorkspace();
  const text = '{"items": [], "total": 0, "page": 1, "pageSize": 20, "big": 12345678901234567890}';
  await using service = await startConsole((response) => answerJson(response, 200, text));
  const selection = [
    ...["--status", "retrying", "--type", "card.interaction", "--page", "2"],
    ...["--from", "2026-01-31", "--to", "2026-01-31T16:00:00.5+08:00"],
  ];
  const options = [...selection, "--json", ...service.options];
  const { code, stdout } = await workspace.portico(["deliveries", "app_1", ...options]);
  assert.deepEqual([code, stdout], [0, `${text}\n`]);
  const query = new URL(`http://x${service.calls()[0]?.url}`).searchParams;
  assert.deepEqual(Object.fromEntries(query), {
    status: "RETRYING",
    eventType: "card.interaction",
    from: String(Date.parse("2026-01-31T00:00:00.000Z")),
    to: String(NOW + 500),
    page: "2",
  });
});

test("an end date includes the whole day", async () => {
  await using workspace = await createWorkspace();
  await using service = await startConsole((response) =>
    answerJson(response, 200, { items: [], total: 0, page: 1, pageSize: 20 }),
  );
  for (const [to, end] of [
    ["2026-01-31", "2026-01-31T23:59:59.999Z"],
    ["2026-01-31T00:00Z", "2026-01-31T00:00:00.000Z"],
  ] as const) {
    await workspace.portico(["deliveries", "app_1", "--from", "2026-01-31", "--to", to, ...service.options]);
    const query = new URL(`http://x${service.calls().at(-1)?.url}`).searchParams;
    assert.equal(query.get("from"), String(Date.parse("2026-01-31T00:00:00.000Z")));
    assert.equal(query.get("to"), String(Date.parse(end)));
  }
});

test("printed JSON cannot control the terminal, and has the same meaning as the answer", async () => {
  await using workspace = await createWorkspace();
  const hostile = "\u009b2J \u202e \u2066 \u200f \u061c \u007f \\\\";
  const list = `{"items": [],\r\n\t"total": 0, "page": 1, "pageSize": 20, "x": "${hostile}\u009b", "${hostile}": 1}`;
  await using service = await startConsole((response) => answerJson(response, 200, list));
  const { stdout } = await workspace.portico(["deliveries", "app_1", "--json", ...service.options]);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  assert.doesNotMatch(stdout, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e-\u200f\u202a-\u202e\u2066-\u2069]/);
  assert.deepEqual(JSON.parse(stdout), JSON.parse(list));
});

test("an empty list is reported as such", async () => {
  await using workspace = await createWorkspace();
  const page = { items: [], total: 0, page: 1, pageSize: 20 };
  await using service = await startConsole((response) => answerJson(response, 200, page));
  const { code, stdout } = await workspace.portico(["deliveries", "app_1", ...service.options]);
  assert.deepEqual([code, stdout], [0, "no deliveries\n"]);
});

test("a delivery is shown with its attempts and the event, and the receiver's answer cannot control the terminal", async () => {
  await using workspace = await createWorkspace();
  const attempts = [
    {
      at: NOW,
      address: "203.0.113.7",
      status: 503,
      reason: null,
      detail: "The answer was \u001b[2J\ncut",
      durationMs: 12,
      phases: { dnsMs: 1, connectMs: 2.5, tlsMs: null, firstByteMs: 8 },
      answer: "busy\u001b[2J\nnow",
      nextAttemptAt: NOW + 10_000,
    },
    {
      at: NOW + 10_000,
      address: null,
      status: null,
      reason: "dns",
      detail: null,
      durationMs: 3_000,
      phases: {},
      answer: "",
      nextAttemptAt: null,
    },
  ];
  const body = '{"eventId":"evt_22",  "n": 12345678901234567890, "n": 1.0, "name":"Eve\u202e"}';
  const answer = JSON.stringify({ ...RETRYING, attempts, body: 0 }).replace('"body":0', `"body":${body}`);
  await using service = await startConsole((response) => answerJson(response, 200, answer));
  const { code, stdout } = await workspace.portico(["deliveries", "app_1", "evt/22", ...service.options]);
  assert.equal(code, 0);
  assert.equal(
    stdout,
    `event         evt_22
type          card.interaction
status        RETRYING
time          2026-01-31T08:00:00.000Z
next attempt  2026-01-31T08:00:30.000Z

2026-01-31T08:00:00.000Z  503  12 ms  at 203.0.113.7
  The answer was \\u001b[2J cut
  dns 1 ms, connect 2.5 ms, first byte 8 ms
  | busy\\u001b[2J
  | now
  next attempt 2026-01-31T08:00:10.000Z

2026-01-31T08:00:10.000Z  dns  3000 ms

What to do
  - The receiver took too long to answer: have it answer 2xx at once and work afterwards.
  - It is retried by itself.

{"eventId":"evt_22",  "n": 12345678901234567890, "n": 1.0, "name":"Eve\\u202e"}
`,
  );
  assert.equal(service.calls()[0]?.url, "/api/open/console/v1/apps/app_1/deliveries/evt%2F22");
});

for (const [status, lastStatus, lastReason, advice] of [
  [
    "FAILED",
    401,
    null,
    /verify with the newest webhook secret.*\n.*is final: it is not retried.*portico redeliver app_1 evt_1/,
  ],
  ["FAILED", 302, null, /Redirects are not followed/],
  ["FAILED", 410, null, /Have the receiver answer 2xx/],
  ["EXHAUSTED", null, "tls", /certificate has to be valid.*\n.*All retries are used up.*portico redeliver app_1 evt_1/],
  ["EXHAUSTED", null, "refused-address:private-address", /not public/],
  ["RETRYING", 503, null, /its log tells why.*\n.*retried by itself/],
  [
    "DROPPED",
    null,
    "no-subscription",
    /DROPPED no-subscription\n[\s\S]*Nobody was subscribed.*portico subscriptions app_1/,
  ],
  ["DROPPED", 503, "subscription-inactive", /DROPPED subscription-inactive\n[\s\S]*The subscription was not ACTIVE/],
  ["DROPPED", null, null, /portico subscriptions app_1/],
] as const) {
  test(`a delivery that is ${status} after ${lastStatus ?? lastReason} is shown with advice`, async () => {
    await using workspace = await createWorkspace();
    const delivery = { ...DELIVERED, status, lastStatus, lastReason, attempts: [], body: {} };
    await using service = await startConsole((response) => answerJson(response, 200, delivery));
    const { stdout } = await workspace.portico(["deliveries", "app_1", "evt_1", ...service.options]);
    assert.match(stdout, /^What to do\n {2}- /m);
    assert.match(stdout, advice);
  });
}

test("a successful delivery is shown without advice", async () => {
  await using workspace = await createWorkspace();
  const delivery = { ...DELIVERED, attempts: [], body: {} };
  await using service = await startConsole((response) => answerJson(response, 200, delivery));
  const { stdout } = await workspace.portico(["deliveries", "app_1", "evt_1", ...service.options]);
  assert.doesNotMatch(stdout, /What to do/);
});
