import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { hasShape } from "@portico/protocol/endpoints";
import { StartInfoSchema } from "@portico/protocol/schemas";
import { setOrigins } from "../src/domain/applications/origin-store.ts";
import { demoWorld } from "../src/domain/provisioning/demo.ts";
import type { ProvisioningFile } from "../src/domain/provisioning/schema.ts";
import { acme, botApp } from "./support/acme.ts";
import { buildPages, SHARED } from "./support/built-pages.ts";
import { sqlite } from "./support/engines.ts";
import { type Answer, send, sendRaw } from "./support/http.ts";
import { World } from "./support/world.ts";

const API = "api.example.com";
const OWN = "console.example.com";
const TWO_HOSTS = {
  PORTICO_ENVIRONMENT: "production",
  PORTICO_BASE_URL: `https://${API}`,
  PORTICO_CONSOLE_URL: `https://${OWN}`,
};

/** A service with pages made of these files. Pages do not depend on the engine, so one is enough. */
function worldWithPages(
  changes?: Record<string, string | null>,
  env?: Record<string, string>,
  provision: ProvisioningFile | null = acme(),
): () => World {
  let world: World | null = null;
  const built = buildPages(changes);
  before(async () => {
    world = await World.create(sqlite, provision, env, { pages: built.folder });
  });
  after(async () => {
    await world?.dispose();
    built.remove();
  });
  return () => {
    if (world === null) throw new Error("the world is there only while the suite's tests run");
    return world;
  };
}

function assertNoRoute(answer: Answer): void {
  assert.equal(answer.status, 404, answer.text);
  assert.deepEqual(Object.keys(answer.json), ["timestamp", "status", "error", "path"]);
}

const titleOf = ({ text }: Answer) => /<title>(\w+)/.exec(text)?.[1];

describe("the pages", () => {
  const world = worldWithPages({}, {}, acme(botApp("app_1")));
  const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    send(world().url + path, { method, headers });

  for (const [path, title] of [
    ["/", "start"],
    ["/?lang=zh-CN", "start"],
    ["/console/", "console"],
    ["/console/apps", "console"],
    ["/console/apps/app_1/card-templates/new?x=1", "console"],
    ["/console/operator/reviews", "console"],
    ["/messenger/", "messenger"],
    ["/messenger/group%3Ag_team", "messenger"],
    ["/qr/login", "messenger"],
    ["/desk/", "desk"],
    ["/desk/app_1%3A12", "desk"],
    ["/docs/", "docs"],
    ["/docs/reference/bot.sendMessage", "docs"],
  ] as const) {
    test(`${path} is the ${title} page`, async () => {
      const answer = await get(path);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(titleOf(answer), title);
      assert.equal(answer.headers["content-type"], "text/html; charset=utf-8");
      assert.equal(answer.headers["cache-control"], "no-cache");
    });
  }
  for (const path of ["/console", "/messenger", "/desk", "/docs"]) {
    test(`${path} leads to ${path}/`, async () => {
      const answer = await get(path);
      assert.deepEqual([answer.status, answer.headers.location], [308, `${path}/`]);
    });
  }
  for (const path of [
    "/assets/",
    "/assets/unknown.js",
    "/assets/shared-a1b2.js.br",
    "/assets/messenger-a1b2.js.map",
    "/assets/../index.html",
    "/assets/..%2findex.html",
    "/assets/%2e%2e/secret.pem",
    "/assets%2fshared-a1b2.js",
    "/assets/%73hared-a1b2.js",
    "/assets//shared-a1b2.js",
    "/secret.pem",
    "/index.html",
    "/.vite/manifest.json",
    "/console/../secret.pem",
    "/console/..%2f..%2fsecret.pem",
    "/console/%2E%2e/x",
    "/console/a%5cb",
    "/console/a%00",
    "/consoles/",
    "/messenger/..",
    "/qr/login/x",
    "/qr",
  ]) {
    test(`${path} is answered as if there were no route`, async () => {
      const answer = await sendRaw(world().url, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      assert.match(answer, /^HTTP\/1\.1 404 /);
      assert.match(answer, /"error":"Not Found"/);
    });
  }
  test("only GET and HEAD are served", async () => {
    for (const path of ["/", "/console/apps", SHARED.path]) {
      for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) assertNoRoute(await get(path, {}, method));
    }
  });

  test("a file with a hash in its name is cached permanently", async () => {
    const answer = await get(SHARED.path);
    assert.equal(answer.status, 200);
    assert.equal(answer.text, SHARED.content);
    assert.equal(answer.headers["cache-control"], "public, max-age=31536000, immutable");
    assert.equal(answer.headers["content-type"], "text/javascript; charset=utf-8");
    assert.equal(answer.headers["x-content-type-options"], "nosniff");
  });
  test("a file that the build copies unchanged is revalidated each time", async () => {
    const answer = await get("/assets/early.js");
    assert.deepEqual([answer.status, answer.headers["cache-control"]], [200, "no-cache"]);
  });
  for (const [accepted, encoding] of [
    [undefined, undefined],
    ["identity", undefined],
    ["gzip, deflate, br", "br"],
    ["br;q=0.1, gzip;q=0.9", "br"],
    ["br;q=0, gzip", "gzip"],
    ["gzip", "gzip"],
    ["zstd", undefined],
    ["identity;q=0, zstd", undefined],
    ["*", "br"],
    ["*;q=0", undefined],
    [",;q=x,,", undefined],
  ] as const) {
    test(`with Accept-Encoding ${accepted} the script is sent ${encoding ?? "plain"}`, async () => {
      const answer = await get(SHARED.path, accepted === undefined ? {} : { "accept-encoding": accepted });
      assert.equal(answer.headers["content-encoding"], encoding);
      assert.equal(answer.headers.vary, "Accept-Encoding");
      const decode = { br: brotliDecompressSync, gzip: gunzipSync };
      const bytes = encoding === undefined ? answer.bytes : decode[encoding](answer.bytes);
      assert.equal(bytes.toString(), SHARED.content);
    });
  }
  test("HEAD has the headers of GET and no body", async () => {
    for (const [path, headers] of [
      ["/console/", {}],
      [SHARED.path, { "accept-encoding": "br" }],
    ] as const) {
      const [full, head] = [await get(path, headers), await get(path, headers, "HEAD")];
      assert.deepEqual([head.status, head.text], [200, ""]);
      for (const name of ["content-length", "content-type", "content-encoding", "etag", "cache-control"]) {
        assert.equal(head.headers[name], full.headers[name], name);
      }
    }
  });
  test("a cached page gets 304, by the ETag of its encoding", async () => {
    for (const path of ["/", "/messenger/x", SHARED.path]) {
      const { headers } = await get(path, { "accept-encoding": "br" });
      const etag = headers.etag ?? "";
      assert.match(etag, /^"[\w-]{43}(-br)?"$/);
      for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
        const answer = await get(path, { "accept-encoding": "br", "if-none-match": tags });
        assert.deepEqual([answer.status, answer.text], [304, ""]);
        assert.equal(answer.headers.etag, etag);
      }
      const changed = await get(path, { "accept-encoding": "br", "if-none-match": '"x"' });
      assert.equal(changed.status, 200);
    }
    const plain = await get(SHARED.path);
    const other = await get(SHARED.path, { "accept-encoding": "br", "if-none-match": plain.headers.etag ?? "" });
    assert.equal(other.status, 200);
  });

  test("each page restricts what it may load, run and use", async () => {
    for (const [path, camera] of [
      ["/", ""],
      ["/console/apps", ""],
      ["/messenger/", "self"],
      ["/qr/login", "self"],
      ["/desk/", ""],
    ] as const) {
      const { headers } = await get(path);
      const policy = new Map(
        String(headers["content-security-policy"])
          .split("; ")
          .map((rule) => [rule.split(" ")[0], rule.split(" ").slice(1).join(" ")]),
      );
      const streams = `ws://localhost:${new URL(world().url).port}`;
      assert.equal(policy.get("default-src"), "'none'");
      assert.equal(policy.get("script-src"), "'self'");
      assert.equal(policy.get("style-src"), "'self' 'unsafe-inline'");
      assert.equal(policy.get("img-src"), `'self' https: data: blob: ${streams.replace("ws", "http")}`);
      assert.equal(policy.get("connect-src"), `'self' ${streams}`);
      for (const name of ["frame-ancestors", "base-uri", "object-src"]) assert.equal(policy.get(name), "'none'");
      assert.equal(policy.get("form-action"), "'self'");
      assert.equal(headers["referrer-policy"], "no-referrer");
      assert.equal(headers["x-content-type-options"], "nosniff");
      assert.equal(headers["cross-origin-opener-policy"], "same-origin");
      const features = String(headers["permissions-policy"]);
      assert.ok(features.includes(`camera=(${camera})`), features);
      assert.ok(features.includes("microphone=()"), features);
      // Chromium warns of those it does not know on all platforms.
      assert.doesNotMatch(features, /bluetooth|web-share/);
    }
  });
  test("the widget's frame is framed by its application's sites alone, and is not kept by browsers", async () => {
    const policyOf = async (query: string) => {
      const { status, headers } = await get(`/widget/${query}`);
      assert.equal(status, 200);
      assert.equal(headers["cache-control"], "no-store");
      return String(headers["content-security-policy"]);
    };
    const { storage } = world().portico.ctx;
    const sites = ["http://b.example:8080", "https://shop.example"];
    await storage.write((tx) => setOrigins(tx, "app_1", sites));
    const policy = await policyOf("?app=app_1");
    assert.match(policy, /; frame-ancestors http:\/\/b\.example:8080 https:\/\/shop\.example; /);
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: http:/);
    for (const query of ["", "?app=", "?app=app_nowhere", "?app=app_1&app=app_1", `?app=${"x".repeat(1_000)}`]) {
      assert.match(await policyOf(query), /; frame-ancestors 'none'; /, query);
    }
    await storage.write((tx) => setOrigins(tx, "app_1", []));
    assert.match(await policyOf("?app=app_1"), /; frame-ancestors 'none'; /);
    assert.equal((await get("/widget/x")).status, 404);
  });
  test("what is no origin becomes no part of the frame's policy, which is bounded and names the asking site", async () => {
    const { storage } = world().portico.ctx;
    const policyOf = async (headers: Record<string, string> = {}) =>
      String((await get("/widget/?app=app_1", headers)).headers["content-security-policy"]);
    const injected = ["https://a;script-src-elem", "https://a,b", "https://evil.example"];
    await storage.write((tx) => setOrigins(tx, "app_1", injected));
    assert.match(await policyOf(), /; frame-ancestors https:\/\/evil\.example; /);
    const many = Array.from({ length: 50 }, (_, n) => `https://${"x".repeat(60)}.${"y".repeat(60)}.s${n}.example`);
    await storage.write((tx) => setOrigins(tx, "app_1", many));
    const last = [...many].sort().at(-1) ?? "";
    assert.ok(!(await policyOf()).includes(`${last} `));
    const named = await policyOf({ referer: `${last}/` });
    assert.ok(named.includes(`frame-ancestors ${last} `), named);
    assert.ok(named.length < 3_000);
    await storage.write((tx) => setOrigins(tx, "app_1", []));
  });
  test("a page that isolates itself may hold the frame", async () => {
    const { headers } = await get("/widget/?app=app_1");
    assert.equal(headers["cross-origin-embedder-policy"], "require-corp");
    assert.equal(headers["cross-origin-resource-policy"], "cross-origin");
  });
  test("the widget's loader can be included by any site, and is kept for minutes", async () => {
    const answer = await get("/widget.js");
    assert.equal(answer.status, 200);
    assert.equal(answer.headers["content-type"], "text/javascript; charset=utf-8");
    assert.equal(answer.headers["cross-origin-resource-policy"], "cross-origin");
    assert.equal(answer.headers["cache-control"], "public, max-age=300, stale-while-revalidate=86400");
    assert.match(String((await get("/assets/widget-a1b2.js")).headers["cache-control"]), /immutable/);
  });
  test("a request for a page is not in the request log", async () => {
    await get("/");
    await get("/console/nowhere");
    await get("/assets/unknown.js");
    const { requestLog, storage } = world().portico.ctx;
    await requestLog.flush();
    assert.deepEqual(await storage.db.selectFrom("requests").select("path").execute(), []);
  });
});

describe("the pages on two hosts", () => {
  const world = worldWithPages({}, TWO_HOSTS);
  const at = (host: string, path: string) => send(world().url + path, { headers: { host } });

  test("the console's host serves the console with its files, and nothing else", async () => {
    for (const path of [
      "/console/",
      "/console/apps",
      SHARED.path,
      "/assets/console-a1b2.js",
      "/assets/console-a1b2.css",
      "/assets/apps-a1b2.js",
      "/assets/early.js",
    ]) {
      assert.equal((await at(OWN, path)).status, 200, path);
    }
    assert.equal((await at(OWN, "/console")).status, 308);
    for (const path of [
      "/",
      "/messenger/",
      "/qr/login",
      "/assets/messenger-a1b2.js",
      "/assets/logo-a1b2.svg",
      "/widget.js",
      "/widget/",
      "/assets/widget-a1b2.js",
    ]) {
      assertNoRoute(await at(OWN, path));
    }
  });
  test("every other host serves everything except the console", async () => {
    for (const host of [API, "elsewhere"]) {
      for (const path of ["/", "/messenger/", "/qr/login", "/assets/messenger-a1b2.js", SHARED.path]) {
        assert.equal((await at(host, path)).status, 200, path);
      }
      for (const path of [
        "/console",
        "/console/",
        "/console/apps",
        "/assets/console-a1b2.js",
        "/assets/apps-a1b2.js",
        "/assets/console-a1b2.css",
      ]) {
        assertNoRoute(await at(host, path));
      }
    }
  });
  test("streams and files of the service's own address may be reached from the console's", async () => {
    const policy = String((await at(OWN, "/console/")).headers["content-security-policy"]);
    assert.ok(policy.includes(`connect-src 'self' wss://${API};`), policy);
  });
});

for (const [what, changes] of [
  ["have not been built", { "index.html": null }],
  ["have a broken manifest", { ".vite/manifest.json": "[1]" }],
  ["have a manifest that is no JSON", { ".vite/manifest.json": "{" }],
] as const) {
  describe(`pages that ${what}`, () => {
    const world = worldWithPages(changes);

    test("are answered with 503 and instructions; everything else works", async () => {
      for (const path of ["/", "/console/apps", "/messenger/", "/qr/login"]) {
        const answer = await send(world().url + path);
        assert.equal(answer.status, 503);
        assert.equal(answer.headers["content-type"], "text/html; charset=utf-8");
        assert.match(answer.text, /npm run build/);
        assert.match(String(answer.headers["content-security-policy"]), /default-src 'none'/);
      }
      assertNoRoute(await send(world().url + SHARED.path));
      assert.equal((await send(`${world().url}/readyz`)).status, 200);
      assert.ok(world().logLines.some((line) => line.includes("npm run build")));
    });
  });
}

describe("what the start page is told", () => {
  const demo = worldWithoutProvision({});
  const live = worldWithoutProvision({ PORTICO_ENVIRONMENT: "production" });
  const provisioned = worldWithPages({}, TWO_HOSTS);

  test("in the demo world: what runs, where, and who can sign in with which password", async () => {
    const { status, headers, json } = await send(`${demo().url}/start.json`);
    assert.equal(status, 200);
    assert.equal(headers["cache-control"], "no-store");
    assert.ok(hasShape(StartInfoSchema, json));
    assert.equal(json.environment, "test");
    assert.match(json.version, /^\d+\.\d+\.\d+/);
    assert.equal(json.baseUrl, `http://localhost:${new URL(demo().url).port}`);
    assert.deepEqual(
      json.demo.members.map(({ username }: { username: string }) => username),
      ["alice", "bob", "carol"],
    );
    const { name: _name, ...alice } = json.demo.members[0];
    assert.equal((await post(demo(), "/api/client/v1/auth/login", alice)).status, 200);
    for (const { phone, channelId, password } of json.demo.developers) {
      const login = { phone, channelId, password };
      assert.equal((await post(demo(), "/api/open/console/v1/auth/login", login)).status, 200);
    }
  });
  test("in production nothing of it, not even where a demo world was before", async () => {
    const { PORTICO_DATA_DIR = "" } = live().env;
    await demoWorld(PORTICO_DATA_DIR, "http://localhost");
    await live().restart();
    const { json, text } = await send(`${live().url}/start.json`);
    assert.deepEqual([json.environment, json.demo], ["production", null]);
    assert.ok(!text.includes("password"));
  });
  test("on both hosts, and where a file says who there is, no accounts", async () => {
    for (const host of [API, OWN]) {
      const { json } = await send(`${provisioned().url}/start.json`, { headers: { host } });
      assert.deepEqual([json.baseUrl, json.consoleUrl, json.demo], [`https://${API}`, `https://${OWN}`, null]);
    }
  });
});

function post({ url }: World, path: string, body: unknown): Promise<Answer> {
  const headers = { "content-type": "application/json" };
  return send(url + path, { method: "POST", headers, body: JSON.stringify(body) });
}

/** A service that was told of nobody: in a test environment its first start makes the demo world. */
function worldWithoutProvision(env: Record<string, string>): () => World {
  return worldWithPages({}, env, null);
}
