import assert from "node:assert/strict";
import { once } from "node:events";
import { WebSocket } from "ws";
import { APPS, alice, call } from "./support/acme.ts";
import { assertConsoleRefused, CONSOLE, consoleAcme, consoleCall, logIn, ownedApp, owner } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { type Answer, send, sendRaw } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { suiteWorld } from "./support/world.ts";

const API = "api.example.com";
const OWN = "console.example.com";
const TWO_HOSTS = { PORTICO_BASE_URL: `https://${API}`, PORTICO_CONSOLE_URL: `https://${OWN}` };
const PRODUCTION = { PORTICO_ENVIRONMENT: "production", ...TWO_HOSTS };

function assertNoRoute(answer: Answer, path: string): void {
  assert.equal(answer.status, 404, answer.text);
  assert.deepEqual(Object.keys(answer.json), ["timestamp", "status", "error", "path"]);
  assert.deepEqual([answer.json.status, answer.json.error, answer.json.path], [404, "Not Found", path]);
}

onBothEngines("two hosts in production", (engine, test) => {
  const world = suiteWorld(engine, consoleAcme(ownedApp("app_bot")), PRODUCTION);
  const at = (host: string, path: string, method = "GET") =>
    send(`${world().url}${path}`, { method, headers: { host, "content-type": "application/json" } });

  test("the console's host serves the console, whatever the case, port or final dot of its name", async () => {
    for (const host of [OWN, "CONSOLE.example.COM", `${OWN}:443`, `${OWN}:8443`, `${OWN}.`, `${OWN}.:443`]) {
      assertConsoleRefused(await at(host, `${CONSOLE}/me`), 401);
    }
  });
  test("the console's host serves nothing else, except health checks", async () => {
    for (const [method, path] of [
      ["GET", APPS],
      ["POST", "/api/open/v2/bot/messages"],
      ["POST", "/api/client/v1/auth/login"],
      ["GET", "/api/client/v1/conversations"],
      ["GET", "/api/client/v1/stream"],
      ["GET", `/files/${"0".repeat(48)}`],
      ["GET", "/metrics"],
      ["GET", "/docs"],
      ["GET", "/"],
      ["GET", "/api/open/console/v1"],
      ["GET", "/api/open/consoles/v1/me"],
    ] as const) {
      assertNoRoute(await at(OWN, path, method), path);
    }
    assert.equal((await at(OWN, "/healthz")).status, 200);
    assert.equal((await at(OWN, "/readyz")).status, 200);
  });
  test("no other host serves the console, however its path is spelled", async () => {
    const { host: own } = new URL(world().url);
    for (const host of [API, own, "", "x", `${OWN}.evil.example`, `x${OWN}`, `${OWN}@x`, `${OWN}/x`, "[::1]", ":443"]) {
      assertNoRoute(await at(host, `${CONSOLE}/me`), `${CONSOLE}/me`);
    }
    for (const path of ["/api/open/%63onsole/v1/me", "/api/open/console/v1/%6de"])
      assertNoRoute(await at(API, path), path);
    assertConsoleRefused(await at(OWN, "/api/open/%63onsole/v1/me").then(withPlainPath), 401);
    assertNoRoute(await at(API, `${CONSOLE}/auth/login`, "POST"), `${CONSOLE}/auth/login`);
    const old = await sendRaw(world().url, `GET ${CONSOLE}/me HTTP/1.0\r\n\r\n`);
    assert.match(old, /^HTTP\/1\.1 404 /);
  });
  test("a request that names two hosts is not served by the console", async () => {
    const absolute = (target: string, host: string) =>
      `GET https://${target}${CONSOLE}/me HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    assert.match(await sendRaw(world().url, absolute(OWN, OWN)), /^HTTP\/1\.1 401 /);
    for (const [target, host] of [
      [OWN, API],
      [API, OWN],
      [API, API],
    ] as const) {
      assert.match(await sendRaw(world().url, absolute(target, host)), /^HTTP\/1\.1 404 /);
    }
    for (const [first, second] of [
      [OWN, API],
      [API, OWN],
    ]) {
      const twice = `GET ${CONSOLE}/me HTTP/1.1\r\nHost: ${first}\r\nHost: ${second}\r\nConnection: close\r\n\r\n`;
      assert.match(await sendRaw(world().url, twice), /^HTTP\/1\.1 404 /);
    }
    const forwarded = { host: API, "x-forwarded-host": OWN, forwarded: `host=${OWN}` };
    assertNoRoute(await send(`${world().url}${CONSOLE}/me`, { headers: forwarded }), `${CONSOLE}/me`);
  });
  test("any other host serves the rest", async () => {
    assert.equal((await call(world(), "app_bot", { target: APPS })).status, 200);
    for (const path of ["/healthz", "/readyz", "/metrics"]) assert.equal((await at(API, path)).status, 200);
    assert.notEqual((await at(API, "/docs")).status, 404);
    const answer = await at(API, "/api/client/v1/conversations");
    assert.equal(answer.json.code, "400001");
  });
  test("a stream is refused on the console's host before the upgrade", async () => {
    const { token } = await MemberClient.signIn(world(), alice);
    const headers = { host: OWN, authorization: `Bearer ${token}` };
    const socket = new WebSocket(`${world().url.replace("http", "ws")}/api/client/v1/stream`, { headers });
    const [error] = await once(socket, "error");
    assert.match(String(error), /404/);
  });
  test("a call that the host does not serve is answered without waiting for its body", async () => {
    const head = `POST ${CONSOLE}/auth/login HTTP/1.1\r\nHost: ${API}\r\nContent-Length: 100000\r\nConnection: close\r\n\r\n{`;
    assert.match(await sendRaw(world().url, head), /^HTTP\/1\.1 404 /);
  });
});

onBothEngines("two hosts in a test environment", (engine, test) => {
  const world = suiteWorld(engine, consoleAcme(ownedApp("app_bot")), TWO_HOSTS);

  test("each host serves everything alike", async () => {
    for (const host of [API, OWN, "x"]) {
      const open = await call(world(), "app_bot", { target: APPS, headers: { host } });
      assert.equal(open.status, 200, open.text);
      assertConsoleRefused(await send(`${world().url}${CONSOLE}/me`, { headers: { host } }), 401);
    }
  });
});

onBothEngines("one host in production", (engine, test) => {
  const world = suiteWorld(engine, consoleAcme(ownedApp("app_bot")), { PORTICO_ENVIRONMENT: "production" });

  test("serves everything", async () => {
    assert.equal((await call(world(), "app_bot", { target: APPS })).status, 200);
    assert.equal((await logIn(world(), owner)).status, 200);
  });
});

onBothEngines("other origins", (engine, test) => {
  const world = suiteWorld(engine, consoleAcme(ownedApp("app_bot")));
  const headers = {
    origin: "https://evil.example",
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization,content-type",
  };
  const assertClosed = (answer: Answer) => {
    const allowed = Object.keys(answer.headers).filter((name) => name.startsWith("access-control-"));
    assert.deepEqual(allowed, []);
  };

  for (const path of [
    `${CONSOLE}/auth/login`,
    `${CONSOLE}/auth/refresh`,
    `${CONSOLE}/me`,
    `${CONSOLE}/apps/app_bot/subscriptions`,
    "/api/client/v1/auth/login",
    "/api/client/v1/conversations",
    "/api/client/v1/qr/scan",
    APPS,
  ]) {
    test(`a preflight of ${path} is answered as if there were no route`, async () => {
      const answer = await send(`${world().url}${path}`, { method: "OPTIONS", headers });
      assertNoRoute(answer, path);
      assertClosed(answer);
    });
  }
  for (const [method, path] of [
    ["POST", "auth/login"],
    ["POST", "auth/refresh"],
    ["POST", "auth/logout"],
    ["POST", "auth/qr/generate"],
    ["GET", `auth/qr/status?qrToken=${"A".repeat(43)}`],
  ] as const) {
    test(`a cross-site call of ${method} ${path} neither sets nor removes a cookie`, async () => {
      for (const site of ["cross-site", "same-site"]) {
        const answer = await consoleCall(world(), method, path, {
          headers: { "sec-fetch-site": site, "sec-fetch-mode": "navigate" },
          ...(path === "auth/login" && { body: owner }),
        });
        assertConsoleRefused(answer, 403, "不允许跨站请求");
        assert.equal(answer.headers["set-cookie"], undefined);
      }
    });
  }
  test("the console's own pages and typed URLs are not cross-site", async () => {
    for (const site of ["same-origin", "none"]) {
      const headers = { "sec-fetch-site": site };
      assert.equal((await consoleCall(world(), "POST", "auth/login", { headers, body: owner })).status, 200);
    }
  });
  test("no answer can be read by another origin", async () => {
    const login = { body: JSON.stringify(owner), headers: { ...headers, "content-type": "application/json" } };
    const answer = await send(`${world().url}${CONSOLE}/auth/login`, { method: "POST", ...login });
    assert.equal(answer.status, 200);
    assertClosed(answer);
    assertClosed(await call(world(), "app_bot", { target: APPS, headers }));
    assertClosed(await send(`${world().url}/api/client/v1/conversations`, { headers }));
  });
});

/** The refusal without its path, which repeats the requested one. */
function withPlainPath(answer: Answer): Answer {
  return { ...answer, json: { ...answer.json, path: `${CONSOLE}/me` } };
}
