import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { defaultScopes } from "@portico/protocol";
import { signRequest } from "@portico/protocol/signature";
import { APPS, call, credentialsOf, INSTALLATIONS, MESSAGES, sendText, textBody } from "./support/acme.ts";
import {
  assertConsoleRefused,
  ConsoleClient,
  consoleAcme,
  consoleCall,
  fellow,
  nobody,
  ownedApp,
  owner,
  stranger,
} from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { assertKeptSecret, explained, explanationOf } from "./support/explanations.ts";
import { type Answer, send, sendSigned } from "./support/http.ts";
import { suiteWorld } from "./support/world.ts";

const SECOND = 1_000;
const HOUR = 3_600_000;
/** An operator, who works for no tenant. */
const operator = { phone: "13800000095", password: "an operator's password", channelId: 1 };
const ABSENT = "调用记录不存在";

onBothEngines("the explanation of a refused call", (engine, test) => {
  const rotatedAt = Date.now() - 25 * HOUR;
  const rotated = { credentialId: "cred_rotated", appSecret: "the old secret" };
  const file = consoleAcme(
    ownedApp("app_a", {
      credentials: [
        { credentialId: "cred_app_a", appSecret: credentialsOf("app_a").appSecret },
        { ...rotated, rotatedAt: new Date(rotatedAt).toISOString() },
      ],
    }),
    ownedApp("app_b"),
    ownedApp("app_off", { status: "DISABLED" }),
    ownedApp("app_bare", { scopes: defaultScopes("BOT") }),
    ownedApp("app_minute", { quota: { perMinute: 1, perDay: 100, concurrent: 10 } }),
    ownedApp("app_day", { quota: { perMinute: 100, perDay: 1, concurrent: 10 } }),
    ownedApp("app_busy"),
  );
  const developers = [...(file.developers ?? []), { ...operator, name: "Operator", tenants: [], operator: true }];
  const world = suiteWorld(engine, { ...file, developers });
  /** The owner's explanation of a call; asserts that it contains no secret. */
  const explain = async ({ json }: Answer, appId = "app_a") => {
    const explanation = await explanationOf(await ConsoleClient.logIn(world()), appId, json.reqNo);
    assert.equal(explanation.appId, appId);
    assert.equal(explanation.reqNo, json.reqNo);
    assert.equal(explanation.code, json.code);
    const secrets = [credentialsOf(appId).appSecret, rotated.appSecret];
    await assertKeptSecret(world(), json.reqNo, explanation, secrets);
    return explanation;
  };

  test("a successful call: its record, without a refusal", async () => {
    const answer = await sendText(world(), "app_a", "hi");
    const { at, durationMs, ...rest } = await explain(answer);
    assert.equal(at, world().clock.now());
    assert.ok(Number.isInteger(durationMs) && durationMs >= 0);
    assert.deepEqual(rest, {
      reqNo: answer.json.reqNo,
      appId: "app_a",
      method: "POST",
      path: MESSAGES,
      status: 200,
      code: "000000",
      reason: null,
      query: null,
      headers: {},
      check: null,
      details: null,
      canonicalString: null,
      hints: [],
    });
  });
  for (const name of ["X-Open-Credential-Id", "X-Open-Timestamp", "X-Open-Nonce", "X-Open-Signature"]) {
    test(`headers: ${name} is missing, which the owner of the claimed application can see`, async () => {
      const explanation = await explain(await sendText(world(), "app_a", "hi", { headers: { [name]: null } }));
      assert.deepEqual([explanation.status, explanation.check], [401, "headers"]);
      assert.deepEqual(explanation.details, { header: name, problem: "missing", maxLength: null });
      assert.match(explanation.hints.join(), new RegExp(name));
    });
  }
  test("headers: a nonce that is too long", async () => {
    const explanation = await explain(await sendText(world(), "app_a", "hi", { nonce: "n".repeat(129) }));
    assert.equal(explanation.check, "headers");
    assert.deepEqual(explanation.details, { header: "X-Open-Nonce", problem: "too-long", maxLength: 128 });
  });
  for (const [what, timestampOf, hint] of [
    ["in seconds", (now: number) => Math.floor(now / 1_000), /in seconds/],
    ["an hour behind", (now: number) => now - HOUR, /3600000 ms behind .* time zone/s],
    ["ten minutes ahead", (now: number) => now + 600_000, /600000 ms ahead/],
  ] as const) {
    test(`timestamp: ${what}`, async () => {
      const now = world().clock.now();
      const timestamp = timestampOf(now);
      const explanation = await explain(await sendText(world(), "app_a", "hi", { timestamp }));
      assert.equal(explanation.check, "timestamp");
      assert.deepEqual(explanation.details, {
        received: String(timestamp),
        serverTime: now,
        clockSkewMs: timestamp - now,
        windowMs: 300_000,
      });
      assert.match(explanation.hints.join("\n"), hint);
    });
  }
  test("timestamp: not a number", async () => {
    const headers = { "X-Open-Timestamp": "2026-01-01T00:00:00Z" };
    const { check, details } = await explain(await sendText(world(), "app_a", "hi", { headers }));
    const serverTime = world().clock.now();
    assert.equal(check, "timestamp");
    const expected = { received: "2026-01-01T00:00:00Z", serverTime, clockSkewMs: null, windowMs: 300_000 };
    assert.deepEqual(details, expected);
  });
  test("application: a call of an unknown one is visible to operators only", async () => {
    const { json } = await sendText(world(), "app_nowhere", "hi");
    const client = await ConsoleClient.logIn(world(), operator);
    const explanation = (await explained(client, `operator/requests/${json.reqNo}`)).json;
    assert.deepEqual([explanation.appId, explanation.check], [null, "application"]);
    assert.deepEqual(explanation.details, { appId: "app_nowhere" });
    const asOwner = await (await ConsoleClient.logIn(world())).get(`apps/app_a/requests/${json.reqNo}`);
    assertConsoleRefused(asOwner, 404, ABSENT);
  });
  test("app-state: the application is not ACTIVE", async () => {
    const { check, details, status } = await explain(await sendText(world(), "app_off", "hi"), "app_off");
    assert.deepEqual([status, check, details], [403, "app-state", { status: "DISABLED" }]);
  });
  test("credential: unknown", async () => {
    const headers = { "X-Open-Credential-Id": "cred_nobody" };
    const { check, details } = await explain(await sendText(world(), "app_a", "hi", { headers }));
    assert.equal(check, "credential");
    const expected = { credentialId: "cred_nobody", problem: "unknown", rotatedAt: null, graceEndedAt: null };
    assert.deepEqual(details, expected);
  });
  test("credential: rotated, and past its grace period", async () => {
    const sending = { target: APPS, timestamp: world().clock.now() };
    const { check, details } = await explain(await sendSigned(world().url, { appId: "app_a", ...rotated }, sending));
    assert.equal(check, "credential");
    const graceEndedAt = rotatedAt + 24 * HOUR;
    assert.deepEqual(details, { credentialId: "cred_rotated", problem: "expired", rotatedAt, graceEndedAt });
  });
  test("body-size: announced, and detected while reading", async () => {
    const body = textBody("x".repeat(262_144));
    const announced = await explain(await sendText(world(), "app_a", "", { body }));
    assert.equal(announced.check, "body-size");
    assert.deepEqual(announced.details, { maxBytes: 262_144, contentLength: Buffer.byteLength(body) });
    const chunked = await explain(await sendText(world(), "app_a", "", { body, chunked: true }));
    assert.deepEqual([chunked.status, chunked.check], [413, "body-size"]);
    assert.deepEqual(chunked.details, { maxBytes: 262_144, contentLength: null });
  });
  test("signature: the lines of the server's canonical string, and the received values; never a signature", async () => {
    const timestamp = world().clock.now();
    const body = textBody("as sent");
    const nonce = randomUUID();
    const sending = { body, signedBody: textBody("as signed"), nonce, timestamp, headers: { "user-agent": "test/1" } };
    const answer = await sendText(world(), "app_a", "", sending);
    const explanation = await explain(answer);
    const due = { ...credentialsOf("app_a"), method: "POST", path: MESSAGES, rawQuery: "", nonce, timestamp };
    const { bodyHash, canonicalString, signature } = signRequest({ ...due, body });
    assert.deepEqual([explanation.check, explanation.canonicalString], ["signature", canonicalString]);
    const values = canonicalString.split("\n");
    const names = ["method", "path", "query", "appId", "credentialId", "timestamp", "nonce", "bodyHash"];
    assert.deepEqual(explanation.details, {
      lines: names.map((name, index) => ({ name, value: values[index] })),
      truncated: false,
      bodyHash,
      bodyLength: Buffer.byteLength(body),
      contentType: "application/json",
      received: { length: 64, form: "lower-case hex" },
      mistakes: [],
    });
    assert.deepEqual(explanation.headers, {
      "X-Open-App-Id": "app_a",
      "X-Open-Credential-Id": "cred_app_a",
      "X-Open-Timestamp": String(timestamp),
      "X-Open-Nonce": nonce,
      "User-Agent": "test/1",
      "Content-Type": "application/json",
      "Content-Length": String(Buffer.byteLength(body)),
    });
    const received = signRequest({ ...due, body: textBody("as signed") }).signature;
    await assertKeptSecret(world(), answer.json.reqNo, explanation, [signature, received, "as sent"]);
  });
  test("signature: a query without a canonical form", async () => {
    world().clock.turn(SECOND);
    const { headers } = signRequest({
      ...credentialsOf("app_a"),
      method: "GET",
      path: APPS,
      rawQuery: "",
      nonce: randomUUID(),
      timestamp: world().clock.now(),
      body: "",
    });
    const explanation = await explain(await send(`${world().url}${APPS}?a=%zz`, { headers }));
    assert.deepEqual([explanation.check, explanation.query, explanation.canonicalString], ["signature", "a=%zz", null]);
    assert.match(explanation.hints.join(), /%25/);
  });
  test("signature: in a flood of refusals only some are diagnosed, and all are explained", async () => {
    world().clock.turn(SECOND);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => sendText(world(), "app_a", "hi", { signedBody: "other" })),
    );
    const explanations = [];
    for (const answer of answers) explanations.push(await explain(answer));
    const diagnosed = explanations.filter(
      ({ details }) => details && "mistakes" in details && details.mistakes !== null,
    );
    assert.equal(diagnosed.length, 5);
    assert.ok(explanations.every(({ check, canonicalString }) => check === "signature" && canonicalString !== null));
  });
  test("nonce: when it was first used, and until when it is refused", async () => {
    const usedAt = world().clock.now();
    await sendText(world(), "app_a", "hi", { nonce: "n-twice" });
    world().clock.turn(90 * SECOND);
    const { check, details } = await explain(await sendText(world(), "app_a", "hi again", { nonce: "n-twice" }));
    assert.equal(check, "nonce");
    assert.ok(details !== null && "seenAt" in details && details.seenAt !== null && details.refusedUntil !== null);
    assert.deepEqual([details.nonce, details.lifetimeMs], ["n-twice", 300_000]);
    // On the embedded engine, nonces are remembered to the second.
    assert.ok(details.seenAt >= usedAt && details.seenAt < usedAt + SECOND);
    assert.equal(details.refusedUntil, details.seenAt + 300_000);
  });
  for (const [exceeded, appId, lengthMs] of [
    ["minute", "app_minute", 60_000],
    ["day", "app_day", 86_400_000],
  ] as const) {
    test(`quota: the ${exceeded}'s`, async () => {
      await call(world(), appId, { target: APPS });
      const now = world().clock.now();
      const explanation = await explain(await call(world(), appId, { target: APPS }), appId);
      assert.deepEqual([explanation.status, explanation.check], [429, "quota"]);
      const resetAt = now - (now % lengthMs) + lengthMs;
      const retryAfterSeconds = Math.ceil((resetAt - now) / 1_000);
      assert.deepEqual(explanation.details, { exceeded, limit: 1, used: 1, resetAt, retryAfterSeconds });
    });
  }
  test("quota: concurrent calls", async () => {
    await world().portico.ctx.storage.write(async (tx) => {
      await tx.updateTable("apps").set({ concurrent: 0 }).where("app_id", "=", "app_busy").execute();
    });
    const { check, details } = await explain(await call(world(), "app_busy", { target: APPS }), "app_busy");
    assert.equal(check, "quota");
    assert.deepEqual(details, { exceeded: "concurrent", limit: 0, used: 0, resetAt: null, retryAfterSeconds: 1 });
  });
  test("scope: the missing one", async () => {
    const { check, details } = await explain(await sendText(world(), "app_bare", "hi"), "app_bare");
    assert.deepEqual([check, details], ["scope", { scope: "bot.message.send" }]);
  });
  test("accept and content-type: the received value", async () => {
    const accept = await explain(await sendText(world(), "app_a", "hi", { headers: { accept: "text/html" } }));
    assert.deepEqual([accept.status, accept.check, accept.details], [406, "accept", { received: "text/html" }]);
    const type = await explain(await sendText(world(), "app_a", "hi", { headers: { "content-type": "text/plain" } }));
    const details = { received: "text/plain", expected: "application/json" };
    assert.deepEqual([type.status, type.check, type.details], [415, "content-type", details]);
    assert.equal(type.headers["Content-Type"], "text/plain");
  });
  for (const [what, body, problem, expected] of [
    ["a member that is missing", textBody("hi", { receiveId: undefined }), "missing", null],
    ["a member of another type", textBody("hi", { receiveId: 7 }), "type", "of type string"],
  ] as const) {
    test(`schema: ${what}`, async () => {
      const answer = await sendText(world(), "app_a", "", { body });
      const { check, details, reason } = await explain(answer);
      assert.deepEqual([check, reason], ["schema", answer.json.message]);
      assert.deepEqual(details, { field: "receiveId", pointer: "/receiveId", problem, expected });
    });
  }
  test("schema: a query parameter, with the received query", async () => {
    const { check, details, query } = await explain(
      await call(world(), "app_a", { target: `${INSTALLATIONS}?targetType=PLANET` }),
    );
    assert.deepEqual([check, query], ["schema", "targetType=PLANET"]);
    const expected = "one of GROUP, USER";
    assert.deepEqual(details, { field: "targetType", pointer: null, problem: "value", expected });
  });
  test("business: the broken rule, the place, and the facts", async () => {
    const answer = await sendText(world(), "app_a", "", { body: textBody("hi", { receiveId: "g_other" }) });
    const { check, details, reason } = await explain(answer);
    assert.deepEqual([check, reason], ["business", "the bot has never been installed to this GROUP"]);
    const facts = { targetType: "GROUP", installation: "NONE" };
    assert.deepEqual(details, { rule: "bot-not-installed", pointer: "/receiveId", facts });
  });
  test("internal: without details of the failure", async (t) => {
    t.mock.method(world().portico.ctx.coordination, "admit", async () => {
      throw new Error("the counters are gone");
    });
    const answer = await sendText(world(), "app_a", "hi");
    t.mock.restoreAll();
    const explanation = await explain(answer);
    assert.deepEqual([explanation.status, explanation.check], [500, "internal"]);
    assert.ok(!JSON.stringify(explanation).includes("counters"));
  });
  test("a secret that was sent in the wrong place is blanked", async () => {
    const appSecret = "0123456789abcdefSECRET";
    const { apps, secretBox, storage } = world().portico.ctx;
    await storage.write(async (tx) => {
      const secret_box = secretBox.seal(appSecret, "cred_app_b");
      await tx.updateTable("credentials").set({ secret_box }).where("credential_id", "=", "cred_app_b").execute();
    });
    apps.forget("app_b");
    const headers = {
      "X-Open-Credential-Id": appSecret,
      "X-Open-Nonce": `${appSecret}1`,
      "user-agent": `x ${appSecret}`,
    };
    const answer = await call(world(), "app_b", { target: `${APPS}?secret=${appSecret}`, headers });
    const explanation = await explanationOf(await ConsoleClient.logIn(world()), "app_b", answer.json.reqNo);
    assert.equal(explanation.check, "credential");
    assert.equal(explanation.headers["X-Open-Credential-Id"], "(secret)");
    assert.equal(explanation.query, "secret=(secret)");
    await assertKeptSecret(world(), answer.json.reqNo, explanation, [appSecret]);
  });
  test("the size of a record is bounded for any call", async () => {
    world().clock.turn(SECOND);
    const headers = {
      "user-agent": "u".repeat(3_000),
      accept: "a".repeat(3_000),
      "X-Open-Signature": "s".repeat(3_000),
    };
    const target = `${APPS}?${"q=%2f%2f&".repeat(400)}`;
    const answer = await call(world(), "app_a", { target, headers });
    const explanation = await explain(answer);
    const { details } = explanation;
    assert.ok(details !== null && "truncated" in details && details.truncated);
    assert.ok(JSON.stringify(explanation).length < 12_000);
  });

  test("a call is explained to the developers of its tenant and to operators, and to nobody else", async () => {
    const { json } = await sendText(world(), "app_a", "hi", { signedBody: "other" });
    const path = `apps/app_a/requests/${json.reqNo}`;
    for (const account of [owner, fellow]) {
      const client = await ConsoleClient.logIn(world(), account);
      await explained(client, path);
      assertConsoleRefused(await client.get(`operator/requests/${json.reqNo}`), 403);
      assertConsoleRefused(await client.get(path.replace("app_a", "app_b")), 404, ABSENT);
      assertConsoleRefused(await client.get("apps/app_a/requests/0nothing"), 404, ABSENT);
    }
    for (const account of [stranger, nobody]) {
      assertConsoleRefused(await (await ConsoleClient.logIn(world(), account)).get(path), 404, "应用不存在");
    }
    assertConsoleRefused(await consoleCall(world(), "GET", path), 401);
    const asOperator = await ConsoleClient.logIn(world(), operator);
    assert.equal((await asOperator.ok("GET", `operator/requests/${json.reqNo}`)).check, "signature");
    assertConsoleRefused(await asOperator.get("operator/requests/0nothing"), 404, ABSENT);
  });
});
