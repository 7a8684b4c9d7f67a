import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import {
  assertConsoleRefused,
  CONSOLE,
  ConsoleClient,
  consoleAcme,
  consoleCall,
  fellow,
  logIn,
  nobody,
  ownedApp,
  owner,
  stranger,
} from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { send } from "./support/http.ts";
import { until } from "./support/webhooks.ts";
import { suiteWorld } from "./support/world.ts";

const SUBSCRIPTION = "apps/app_bot/subscriptions/im.message.receive_v1";
/** Every endpoint that needs a login; those that change something are the owner's alone. */
const PROTECTED: [method: string, path: string, who: "all" | "owner", body?: unknown][] = [
  ["GET", "apps/app_bot/subscriptions", "all"],
  ["PUT", SUBSCRIPTION, "owner", { callbackUrl: "https://example.com/" }],
  ["DELETE", SUBSCRIPTION, "owner"],
  ["POST", `${SUBSCRIPTION}/verify`, "owner"],
  ["POST", "apps/app_bot/events/im.message.receive_v1/trigger", "owner"],
  ["GET", "apps/app_bot/deliveries", "all"],
  ["GET", "apps/app_bot/deliveries/evt_1", "all"],
  ["POST", "apps/app_bot/deliveries/evt_1/redeliver", "owner"],
  ["POST", "apps/app_bot/deliveries/redeliver", "owner", { eventIds: ["evt_1"] }],
  ["POST", "apps/app_bot/deliveries/redeliver", "owner", { from: 0, to: 1 }],
  ["GET", "apps/app_bot/redelivery-jobs/rdj_1", "all"],
  ["DELETE", "apps/app_bot/redelivery-jobs/rdj_1", "owner"],
];
const APP_UNKNOWN = "应用不存在";

onBothEngines("console: the contract of its refusals", (engine, test) => {
  const world = suiteWorld(engine, consoleAcme(ownedApp("app_bot"), ownedApp("app_ownerless", { owner: undefined })));

  for (const [method, path, who, body] of PROTECTED) {
    test(`${method} ${path} ${body ? Object.keys(body) : ""}: 401, 404 and 403 for the callers they apply to`, async () => {
      assertConsoleRefused(await consoleCall(world(), method, path, { body }), 401, "未登录或登录已过期");
      for (const account of [stranger, nobody]) {
        const client = await ConsoleClient.logIn(world(), account);
        assertConsoleRefused(await client.call(method, path, body), 404, APP_UNKNOWN);
      }
      const foreign = path.replace("app_bot", "app_nowhere");
      assertConsoleRefused(await (await ConsoleClient.logIn(world())).call(method, foreign, body), 404, APP_UNKNOWN);
      const answer = await (await ConsoleClient.logIn(world(), fellow)).call(method, path, body);
      if (who === "owner") assertConsoleRefused(answer, 403, "只有应用的所有者可以执行此操作");
      else assert.ok(answer.status === 200 || answer.json.message !== APP_UNKNOWN, answer.text);
    });
  }
  test("an application without an owner cannot be changed by developers", async () => {
    const client = await ConsoleClient.logIn(world());
    assert.deepEqual(await client.ok("GET", "apps/app_ownerless/subscriptions"), []);
    assertConsoleRefused(await client.call("DELETE", SUBSCRIPTION.replace("app_bot", "app_ownerless")), 403);
  });

  for (const [what, method, path] of [
    ["a path that is none", "GET", "nothing"],
    ["the base", "GET", ""],
    ["another method on a known path", "GET", "auth/login"],
    ["HEAD", "HEAD", "apps/app_bot/subscriptions"],
    ["OPTIONS", "OPTIONS", "auth/login"],
    ["PATCH", "PATCH", SUBSCRIPTION],
    ["a path in other capitals", "POST", "Auth/Login"],
  ] as const) {
    test(`${what}: the container's 404`, async () => {
      const answer = await consoleCall(world(), method, path);
      assert.equal(answer.status, 404);
      if (method !== "HEAD") {
        assert.deepEqual(Object.keys(answer.json), ["timestamp", "status", "error", "path"]);
        assert.equal(answer.json.path, `${CONSOLE}/${path}`);
      }
    });
  }

  test("the scheme of the Authorization header is case-insensitive, with any number of spaces", async () => {
    const { accessToken } = (await logIn(world(), owner)).json;
    for (const scheme of ["bearer", "BEARER", "Bearer  "]) {
      const headers = { authorization: `${scheme} ${accessToken}` };
      assert.equal((await consoleCall(world(), "GET", "apps/app_bot/subscriptions", { headers })).status, 200);
    }
    for (const authorization of [`Bearer${accessToken}`, `Basic ${accessToken}`, accessToken, "Bearer "]) {
      const headers = { authorization };
      assertConsoleRefused(await consoleCall(world(), "GET", "apps/app_bot/subscriptions", { headers }), 401);
    }
  });
  test("a refusal contains the path without query, and the time of the service's clock", async () => {
    const answer = await consoleCall(world(), "GET", "apps/app_bot/deliveries?page=2");
    assertConsoleRefused(answer, 401);
    assert.equal(answer.json.path, `${CONSOLE}/apps/app_bot/deliveries`);
    assert.equal(answer.json.timestamp, new Date(world().clock.now()).toISOString());
  });
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "json",
    "",
  ]) {
    test(`a body of Content-Type '${type}' is 415`, async () => {
      const headers = { "content-type": type === "" ? null : type };
      const answer = await consoleCall(world(), "POST", "auth/login", { body: JSON.stringify(owner), headers });
      assertConsoleRefused(answer, 415);
    });
  }
  for (const type of ["application/json", "application/json; charset=utf-8", "Application/JSON"]) {
    test(`a body of Content-Type '${type}' is read`, async () => {
      const headers = { "content-type": type };
      const answer = await consoleCall(world(), "POST", "auth/login", { body: JSON.stringify(owner), headers });
      assert.equal(answer.status, 200, answer.text);
    });
  }
  for (const [what, body] of [
    ["no body", undefined],
    ["an empty body", ""],
    ["a body that is no JSON", "{"],
    ["a body that is no object", "[]"],
    ["null", "null"],
  ] as const) {
    test(`${what}: 400`, async () => {
      assertConsoleRefused(await consoleCall(world(), "POST", "auth/login", { body }), 400);
    });
  }
  test("a body that is not UTF-8: 400", async () => {
    const headers = { "content-type": "application/json" };
    const body = Buffer.concat([Buffer.from('{"phone":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    assertConsoleRefused(await send(`${world().url}${CONSOLE}/auth/login`, { method: "POST", headers, body }), 400);
  });
  test("a body over 256 KiB, announced or not: 413; the limit for signing in is 8 KiB", async () => {
    const client = await ConsoleClient.logIn(world());
    assertConsoleRefused(await client.call("POST", "apps", { name: "x".repeat(262_144) }), 413);
    assertConsoleRefused(await client.call("POST", "apps", { name: "x".repeat(262_000) }), 400);
    const body = JSON.stringify({ ...owner, filler: "x".repeat(8_192) });
    assertConsoleRefused(await consoleCall(world(), "POST", "auth/login", { body }), 413);
    assertConsoleRefused(await consoleCall(world(), "POST", "auth/login", { body, chunked: true }), 413);
    assert.equal((await logIn(world(), { ...owner, filler: "x".repeat(8_000) })).status, 200);
  });
  test("callers without a login are refused before their body is read", async () => {
    const answer = await consoleCall(world(), "PUT", SUBSCRIPTION, {
      body: "{",
      headers: { "content-type": "text/plain" },
    });
    assertConsoleRefused(answer, 401);
  });
  test("a body is ignored by a call that takes none", async () => {
    const headers = { "content-type": "text/plain", cookie: "open_refresh_token=x" };
    assertConsoleRefused(await consoleCall(world(), "POST", "auth/refresh", { body: "anything", headers }), 401);
  });
  test("ids with NUL or malformed percent sequences are refused, whatever the engine", async () => {
    const client = await ConsoleClient.logIn(world());
    assertConsoleRefused(await client.get("apps/app%00bot/subscriptions"), 400);
    assertConsoleRefused(await client.get("apps/app_bot/deliveries/evt%00"), 400);
    assert.equal((await client.get("apps/app%ff/subscriptions")).status, 404);
    assertConsoleRefused(await client.get("apps/%F0%9F%A4%96/subscriptions"), 404);
  });
  test("a request interrupted within its body does no harm", async () => {
    const head = [
      `POST ${CONSOLE}/auth/login HTTP/1.1`,
      "Host: x",
      "Content-Type: application/json",
      "Content-Length: 100",
    ];
    const { hostname, port } = new URL(world().url);
    const socket = connect(Number(port), hostname);
    socket.end(`${head.join("\r\n")}\r\n\r\n{`);
    await once(socket.resume(), "close");
    assert.equal((await logIn(world(), owner)).status, 200);
  });
  test("an unknown error is 500 without details; the log contains them", async () => {
    const { ctx } = world().portico;
    const { verify } = ctx.passwords;
    // The log accepts a number of refusals per second, which earlier tests have used.
    world().clock.turn(1_000);
    ctx.passwords.verify = () => Promise.reject(new Error("the secret cause"));
    const answer = await logIn(world(), { ...owner, phone: "13877777777" });
    ctx.passwords.verify = verify;
    assertConsoleRefused(answer, 500, "服务内部错误,请稍后重试");
    assert.ok(!answer.text.includes("the secret cause"));
    await until(() => world().logLines.some((line) => line.includes("the secret cause")), "it is logged");
  });
});
