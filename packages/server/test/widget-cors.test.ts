import assert from "node:assert/strict";
import { call } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { CONSOLE, ConsoleClient, consoleAcme } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { type Answer, send } from "./support/http.ts";
import { FORM_TYPE } from "./support/uploads.ts";
import { SITE, serviceApp, WIDGET, WidgetClient } from "./support/widget.ts";
import { suiteWorld } from "./support/world.ts";

const APP = "app_shop";
const OTHER_SITE = "http://other.example:8080";
const NOWHERE = "https://nowhere.example";

/** Headers that an answer has only if pages of other sites may read it. */
function assertNotShared({ headers }: Answer): void {
  const shared = Object.keys(headers).filter((name) => name.startsWith("access-control-"));
  assert.deepEqual(shared, []);
}

function assertShared({ headers }: Answer, origin: string): void {
  assert.equal(headers["access-control-allow-origin"], origin);
  assert.equal(headers["access-control-allow-credentials"], undefined);
  assert.equal(headers.vary, "Origin");
}

onBothEngines("widget: calls from other sites", (engine, test) => {
  const world = suiteWorld(
    engine,
    consoleAcme(
      serviceApp(APP),
      serviceApp("app_other", { profile: { allowedOrigins: [OTHER_SITE] } }),
      serviceApp("app_closed", { profile: {} }),
    ),
  );
  const preflight = (path: string, headers: Record<string, string | null> = {}) =>
    send(`${world().url}${path}`, {
      method: "OPTIONS",
      headers: { origin: SITE, "access-control-request-method": "POST", ...headers },
    });
  const assertNoRoute = (answer: Answer) => {
    assert.equal(answer.status, 404);
    assert.deepEqual(Object.keys(answer.json), ["timestamp", "status", "error", "path"]);
    assertNotShared(answer);
  };

  for (const [path, methods] of [
    ["session", "GET"],
    ["messages", "GET, POST"],
    ["rating", "POST"],
    ["files", "POST"],
  ] as const) {
    test(`a preflight of ${path} is answered for a site that any application allows`, async () => {
      for (const origin of [SITE, OTHER_SITE]) {
        const answer = await preflight(`${WIDGET}/${path}`, { origin });
        assert.equal(answer.status, 204);
        assert.equal(answer.text, "");
        assertShared(answer, origin);
        assert.equal(answer.headers["access-control-allow-methods"], methods);
        assert.equal(answer.headers["access-control-allow-headers"], "Authorization, Content-Type");
        assert.equal(answer.headers["access-control-max-age"], "600");
      }
    });
  }
  for (const origin of [
    NOWHERE,
    "null",
    "https://shop.example.evil.example",
    "https://evil-shop.example",
    "http://shop.example",
    "https://shop.example:444",
    "https://shop.example/",
    "HTTPS://SHOP.EXAMPLE",
    `${SITE}, ${OTHER_SITE}`,
    "*",
    "%",
    `https://${"x".repeat(4_000)}.example`,
  ]) {
    test(`from ${origin.slice(0, 40)} a preflight and a call are refused, without CORS headers`, async () => {
      const refused = await preflight(`${WIDGET}/messages`, { origin });
      assertRefused(refused, 403, "400008");
      assertNotShared(refused);
      const widget = await WidgetClient.open(world(), APP, "c-1");
      const before = (await widget.ok("messages")).lastSeq;
      for (const answer of [
        await widget.call("session", { headers: { origin } }),
        await widget.post("messages", { content: "hi" }, { origin }),
        await widget.upload({}, { origin }),
      ]) {
        assertRefused(answer, 403, "400008", "该网站未被允许使用此应用的访客组件");
        assertNotShared(answer);
      }
      assert.equal((await widget.ok("messages")).lastSeq, before);
    });
  }
  test("OPTIONS without a preflight is not a route", async () => {
    assertNoRoute(await preflight(`${WIDGET}/messages`, { origin: null }));
    assertNoRoute(await preflight(`${WIDGET}/messages`, { "access-control-request-method": null }));
    assertNoRoute(await preflight(`${WIDGET}/nothing`));
  });
  test("no other API answers preflights or shares its answers", async () => {
    for (const path of ["/api/client/v1/conversations", "/api/open/v1/message/send", `${CONSOLE}/me`, "/healthz"]) {
      assertNoRoute(await preflight(path));
      assertNotShared(await send(`${world().url}${path}`, { headers: { origin: SITE } }));
    }
    const target = "/api/open/v1/agent/status?agentId=x";
    const signed = await call(world(), APP, { target, headers: { origin: SITE } });
    assertSuccess(signed);
    assertNotShared(signed);
  });
  test("a page on an allowed site can read answers, including refusals", async () => {
    const widget = await WidgetClient.open(world(), APP, "c-2");
    const headers = { origin: SITE };
    const answers: [Answer, number][] = [
      [await widget.call("session", { headers }), 200],
      [await widget.post("messages", { content: "hi" }, headers), 200],
      [await widget.upload({}, headers), 200],
      [await widget.post("messages", { content: "" }, headers), 400],
      [await widget.post("messages", "{", headers), 400],
      [await widget.post("rating", { rating: 9 }, headers), 400],
      [await widget.post("messages", "x", { ...headers, "content-type": "text/plain" }), 415],
      [await widget.post("messages", JSON.stringify("x".repeat(300_000)), headers), 413],
      [
        await widget.call("files", { method: "POST", body: "x", headers: { ...headers, "content-type": FORM_TYPE } }),
        400,
      ],
    ];
    for (const [answer, status] of answers) {
      assert.equal(answer.status, status, answer.text);
      assertShared(answer, SITE);
      assert.equal(answer.headers["access-control-expose-headers"], "Retry-After");
    }
  });
  test("a page on a site that any application allows can read that its token is invalid", async () => {
    const ask = (origin: string) =>
      send(`${world().url}${WIDGET}/session`, { headers: { origin, authorization: "Bearer x" } });
    for (const origin of [SITE, OTHER_SITE]) {
      const answer = await ask(origin);
      assertRefused(answer, 401, "400001");
      assertShared(answer, origin);
    }
    const answer = await ask(NOWHERE);
    assertRefused(answer, 401, "400001");
    assertNotShared(answer);
  });
  test("a site that only another application allows is refused; without allowed sites every site is refused", async () => {
    for (const [appId, origin] of [
      [APP, OTHER_SITE],
      ["app_other", SITE],
      ["app_closed", SITE],
    ] as const) {
      const widget = await WidgetClient.open(world(), appId, "c-3");
      const answer = await widget.call("session", { headers: { origin } });
      assertRefused(answer, 403, "400008");
      assertNotShared(answer);
    }
  });
  test("callers that are not browsers, and pages of the service itself, need no permission", async () => {
    const widget = await WidgetClient.open(world(), "app_closed", "c-4");
    const answer = await widget.call("session");
    assertSuccess(answer);
    assertNotShared(answer);
    const { origin } = new URL(world().portico.ctx.config.baseUrl ?? "");
    assertSuccess(await widget.call("session", { headers: { origin } }));
  });
  test("the owner's changes take effect at once, for preflights and for calls", async () => {
    const widget = await WidgetClient.open(world(), APP, "c-5");
    const owner = await ConsoleClient.logIn(world());
    const allow = (allowedOrigins: string[]) => owner.ok("PATCH", `apps/${APP}`, { allowedOrigins });
    const headers = { origin: NOWHERE };
    await allow([SITE, `${NOWHERE}/`]);
    assertShared(await widget.call("session", { headers }), NOWHERE);
    assertShared(await preflight(`${WIDGET}/session`, headers), NOWHERE);
    await allow([SITE]);
    assertRefused(await widget.call("session", { headers }), 403, "400008");
    assertRefused(await preflight(`${WIDGET}/session`, headers), 403, "400008");
  });
  test("a refused preflight contains instructions in its answer and in the log", async (t) => {
    world().clock.turn(1_000);
    const origin = "https://new.example";
    const { json } = await preflight(`${WIDGET}/messages`, { origin });
    assert.equal(json.message, `该网站未被任何应用允许: 请应用所有者将${origin}加入allowedOrigins`);
    const line = await t.waitFor(() => {
      const found = world().logLines.find((line) => line.includes(json.reqNo));
      assert.ok(found !== undefined);
      return found;
    });
    assert.match(line, /no application allows its widget on https:\/\/new\.example: .*allowedOrigins/);
    const none = await preflight(`${WIDGET}/messages`, { origin: "null" });
    assert.equal(none.json.message, "Origin不是http或https网站");
  });
});
