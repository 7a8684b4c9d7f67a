import assert from "node:assert/strict";
import { readdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { test } from "node:test";
import { answerJson, refuse, startConsole } from "./console-service.ts";
import { createWorkspace } from "./portico.ts";

const URL = "https://bot.example.com/hook";
const SUBSCRIPTION = {
  eventType: "card.interaction",
  callbackUrl: URL,
  status: "ACTIVE",
  failureCount: 2,
  circuitState: "OPEN",
  updatedAt: Date.parse("2026-01-31T08:00:00Z"),
};

test("subscribe prints only the secret, and warns on stderr that it is shown once", async () => {
  await using workspace = await createWorkspace();
  await using service = await startConsole((response) =>
    answerJson(response, 200, { credentialId: "card.interaction", secret: "whs_1" }),
  );
  const args = ["subscribe", "app_1", "card.interaction", URL, ...service.options];
  const { code, stdout, stderr } = await workspace.portico(args);
  assert.deepEqual([code, stdout], [0, "whs_1\n"]);
  assert.match(stderr, /Store it now: it is not shown again/);
  assert.doesNotMatch(stderr, /whs_1/);
  await workspace.portico([...args, "--inactive"]);
  const [active, inactive] = service.calls();
  assert.equal(
    `${active?.method} ${active?.url}`,
    "PUT /api/open/console/v1/apps/app_1/subscriptions/card.interaction",
  );
  assert.deepEqual(JSON.parse(active?.body ?? ""), { callbackUrl: URL, status: "ACTIVE" });
  assert.deepEqual(JSON.parse(inactive?.body ?? ""), { callbackUrl: URL, status: "INACTIVE" });
});

test("--secret-file gets the secret once there is one, for this user alone, and is left alone when the call fails", async () => {
  await using workspace = await createWorkspace();
  const file = await workspace.write("keys/secret", "former\n");
  await using service = await startConsole((response, index) =>
    index === 0
      ? refuse(response, 503, "Service Unavailable", "busy")
      : answerJson(response, 200, { credentialId: "card.interaction", secret: "whs_1" }),
  );
  const args = ["subscribe", "app_1", "card.interaction", URL, "--secret-file", file, ...service.options];
  assert.equal((await workspace.portico(args)).code, 1);
  assert.equal(await workspace.read("keys/secret"), "former\n");
  assert.deepEqual(await readdir(dirname(file)), ["secret"]);

  const { code, stdout, stderr } = await workspace.portico(args);
  assert.deepEqual([code, stdout], [0, ""]);
  assert.doesNotMatch(stderr, /whs_1/);
  assert.equal(await workspace.read("keys/secret"), "whs_1\n");
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(dirname(file)), ["secret"]);
});

test("a secret whose file cannot be written is not lost", async () => {
  await using workspace = await createWorkspace();
  const inTheWay = dirname(await workspace.write("secret/file", ""));
  await using service = await startConsole((response) =>
    answerJson(response, 200, { credentialId: "card.interaction", secret: "whs_1" }),
  );
  const args = ["subscribe", "app_1", "card.interaction", URL, "--secret-file", inTheWay, ...service.options];
  const { code, stdout, stderr } = await workspace.portico(args);
  assert.deepEqual([code, stdout], [1, "whs_1\n"]);
  assert.match(stderr, /the line on standard output is the webhook secret\nportico subscribe: cannot write /);
});

test("subscribe --socket asks for no address, and prints no secret", async () => {
  await using workspace = await createWorkspace();
  await using service = await startConsole((response) =>
    answerJson(response, 200, { credentialId: "card.interaction", secret: "whs_1" }),
  );
  const args = ["subscribe", "app_1", "card.interaction", "--socket", ...service.options];
  const { code, stdout, stderr } = await workspace.portico(args);
  assert.deepEqual([code, stdout], [0, ""]);
  assert.match(stderr, /^subscribed to card\.interaction by socket: start the bot/);
  assert.deepEqual(JSON.parse(service.calls()[0]?.body ?? ""), { transport: "SOCKET", status: "ACTIVE" });
});

test("subscriptions are listed in a table, and as the original answer with --json", async () => {
  await using workspace = await createWorkspace();
  await using service = await startConsole((response) => answerJson(response, 200, [SUBSCRIPTION]));
  const { code, stdout } = await workspace.portico(["subscriptions", "app_1", ...service.options]);
  assert.equal(code, 0);
  assert.equal(
    stdout,
    `type              status  circuit  failures  updated                   address
card.interaction  ACTIVE  OPEN     2         2026-01-31T08:00:00.000Z  ${URL}
`,
  );
  const json = await workspace.portico(["subscriptions", "app_1", "--json", ...service.options]);
  assert.equal(json.stdout, `${JSON.stringify([SUBSCRIPTION])}\n`);
});

test("the exit code of verify says whether the URL answers", async () => {
  await using workspace = await createWorkspace();
  const tried = { at: 1, address: "203.0.113.7", detail: null, durationMs: 1, answer: "" };
  const phases = { dnsMs: 1, connectMs: 1, tlsMs: 1, firstByteMs: 1 };
  for (const [value, attempt, code, message] of [
    [true, { status: 200, reason: null }, 0, /^the address answers with 2xx\n$/],
    [
      false,
      { status: 404, reason: null },
      1,
      /^portico verify: no 2xx: it answered 404\nThe receiver has nothing at this path/,
    ],
    [
      false,
      { status: null, reason: "connect-timeout" },
      1,
      /^portico verify: no 2xx: connect-timeout\n.* look at its firewall/,
    ],
  ] as const) {
    const answer = { code: "000000", message: "success", value, reqNo: "req_1" };
    await using service = await startConsole((response) =>
      answerJson(response, 200, { ...answer, attempt: { ...tried, phases, ...attempt } }),
    );
    const outcome = await workspace.portico(["verify", "app_1", "card.interaction", ...service.options]);
    assert.equal(outcome.code, code);
    assert.match(outcome.stdout + outcome.stderr, message);
    const [call] = service.calls();
    const path = "/api/open/console/v1/apps/app_1/subscriptions/card.interaction/verify";
    assert.equal(`${call?.method} ${call?.url}`, `POST ${path}`);
  }
});
