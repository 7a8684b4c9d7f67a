import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { acme, botApp, sendText } from "./support/acme.ts";
import { assertSuccess } from "./support/assert-answer.ts";
import { sqlite } from "./support/engines.ts";
import { send, sendRaw } from "./support/http.ts";
import { World } from "./support/world.ts";

const TOKEN = "the-collector-of-metrics";
const provision = acme(botApp("app_bot"));

describe("the metrics", () => {
  test("are on the service's port, for everybody, unless told otherwise", async (t) => {
    const world = await World.create(sqlite, provision);
    t.after(() => world.dispose());
    assertSuccess(await sendText(world, "app_bot", "hi"));
    const { status, headers, text } = await send(`${world.url}/metrics`);
    assert.equal(status, 200);
    assert.match(String(headers["content-type"]), /^text\/plain; version=/);
    assert.match(text, /^portico_requests_total\{.*code="000000"\} [1-9]/m);
  });
  test("and the paths of health are there in one spelling only", async (t) => {
    const world = await World.create(sqlite, provision);
    t.after(() => world.dispose());
    const statusOf = async (target: string) => {
      const answer = await sendRaw(world.url, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      return Number(answer.slice(9, 12));
    };
    for (const name of ["metrics", "healthz", "readyz"]) {
      const [first = "", ...rest] = name;
      const encoded = `%${first.charCodeAt(0).toString(16)}${rest.join("")}`;
      assert.equal(await statusOf(`/${name}`), 200);
      assert.equal(await statusOf(`/${name}?a=b`), 200);
      for (const target of [
        `/${encoded}`,
        `//${name}`,
        `/${name}/`,
        `/${name}.`,
        `/${name};a`,
        `/${name}%3Fa`,
        `/${name.toUpperCase()}`,
        `/./${name}`,
        `/x/../${name}`,
        `/%2e/${name}`,
        `http://x/${name}`,
        `HTTP://x/${encoded}`,
        `http:///${name}`,
      ]) {
        assert.equal(await statusOf(target), 404, target);
      }
    }
  });
  test("move to a port of their own, where nothing else is", async (t) => {
    const world = await World.create(sqlite, provision, { PORTICO_METRICS_PORT: "0" });
    t.after(() => world.dispose());
    const url = world.portico.metricsUrl ?? "";
    assert.match((await send(url)).text, /^# HELP portico_requests_total /m);
    assert.equal((await send(`${world.url}/metrics`)).status, 404);
    assert.equal((await send(url.replace("/metrics", "/readyz"))).status, 404);
    assert.equal((await send(url, { method: "POST" })).status, 404);
  });
  for (const [where, env] of [
    ["on the service's port", {}],
    ["on a port of their own", { PORTICO_METRICS_PORT: "0" }],
  ] as const) {
    test(`are for who has the token, ${where}`, async (t) => {
      const world = await World.create(sqlite, provision, { ...env, PORTICO_METRICS_TOKEN: TOKEN });
      t.after(() => world.dispose());
      const url = world.portico.metricsUrl ?? `${world.url}/metrics`;
      const asked = (authorization: string | null) => send(url, { headers: { authorization } });
      for (const wrong of [null, "", TOKEN, `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, "Bearer "]) {
        const { status, headers, text } = await asked(wrong);
        assert.equal(status, 401, `${wrong}`);
        assert.match(String(headers["www-authenticate"]), /^Bearer/);
        assert.doesNotMatch(text, /portico_requests/);
      }
      const right = await asked(`Bearer ${TOKEN}`);
      assert.equal(right.status, 200);
      assert.match(right.text, /^# HELP portico_requests_total /m);
    });
  }
  test("on a port that is taken stop the start", async (t) => {
    const world = await World.create(sqlite, provision, { PORTICO_METRICS_PORT: "0" });
    t.after(() => world.dispose());
    const { port } = new URL(world.portico.metricsUrl ?? "");
    await assert.rejects(World.create(sqlite, provision, { PORTICO_METRICS_PORT: port }), /PORTICO_METRICS_PORT/);
  });
});
