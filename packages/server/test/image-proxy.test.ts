import assert from "node:assert/strict";
import { after, before } from "node:test";
import { MAX_PICTURE_BYTES, PictureFetcher, READ_MS } from "../src/domain/pictures/picture-fetcher.ts";
import { alice, bob } from "./support/acme.ts";
import { TEST_CA } from "./support/certificates.ts";
import { clientAcme, logIn } from "./support/client-acme.ts";
import { consoleAcme, ownedApp, owner } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { send } from "./support/http.ts";
import { type Receiver, resolverOf, startReceiver } from "./support/receiver.ts";
import { until } from "./support/webhooks.ts";
import { suiteWorld, type World } from "./support/world.ts";

const PNG = Buffer.from("89504e470d0a1a0a", "hex");
const ENV = { PORTICO_WEB_IMAGE_PROXY: "true", PORTICO_WEB_IMAGE_NETWORKS: "127.0.0.0/8" };
const NETWORK = { lookup: resolverOf({ "receiver.test": ["127.0.0.1"], "inside.test": ["10.0.0.1"] }), ca: TEST_CA };

onBothEngines("pictures fetched for the pages", (engine, test) => {
  const world = suiteWorld(engine, clientAcme(), ENV, NETWORK);
  const plain = suiteWorld(engine, clientAcme());
  const callbacks = suiteWorld(
    engine,
    clientAcme(),
    { PORTICO_WEB_IMAGE_PROXY: "true", PORTICO_WEBHOOK_ALLOW_NETWORKS: "127.0.0.0/8" },
    NETWORK,
  );
  let receiver: Receiver;
  let cookie = "";
  before(async () => {
    receiver = await startReceiver();
    cookie = await ticketAt(world());
  });
  after(() => receiver.stop());

  const ask = (address: string, headers: Record<string, string | null> = {}) =>
    askAt(world(), cookie, address, headers);
  const answering = (status: number, headers: Record<string, string>, body: Buffer | string = PNG) => {
    receiver.respond = (_received, response) => void response.writeHead(status, headers).end(body);
  };

  test("a signed-in member gets the picture, which cannot act as a page", async () => {
    answering(200, { "content-type": "image/png; x=y", "set-cookie": "a=b" });
    const { status, headers, text } = await ask(receiver.url("/a.png?b=c"));
    assert.equal(status, 200, text);
    assert.equal(headers["content-type"], "image/png");
    assert.equal(headers["content-length"], String(PNG.length));
    assert.equal(headers["cache-control"], "private, max-age=3600");
    assert.equal(headers["content-security-policy"], "default-src 'none'; sandbox");
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["set-cookie"], undefined);
    const asked = receiver.requests.at(-1);
    assert.equal(asked?.path, "/a.png?b=c");
    assert.deepEqual(
      [asked?.headers.cookie, asked?.headers.referer, asked?.headers["x-forwarded-for"]],
      [undefined, undefined, undefined],
    );
  });
  test("nobody else does: no cookie, a changed one, one of another kind, two, another site's page", async () => {
    answering(200, { "content-type": "image/png" });
    const seen = receiver.requests.length;
    const [name = "", ticket = ""] = cookie.split("=");
    const [hash = "", mac = ""] = ticket.split(".");
    const reversed = (text: string) => [...text].reverse().join("");
    const attempts: Record<string, string | null>[] = [
      { cookie: null },
      { cookie: `${name}=` },
      { cookie: `${name}=${reversed(hash)}.${mac}` },
      { cookie: `${name}=${hash}.${reversed(mac)}` },
      { cookie: `portico_console_pictures=${ticket}` },
      { cookie: `${cookie}; ${cookie}` },
      { "sec-fetch-site": "cross-site" },
    ];
    for (const headers of attempts) {
      assert.equal((await ask(receiver.url(), headers)).status, 403, JSON.stringify(headers));
    }
    assert.equal(receiver.requests.length, seen);
  });
  for (const [what, address] of [
    ["http", "http://receiver.test/"],
    ["an address inside", "https://10.0.0.1/"],
    ["a name of an address inside", "https://inside.test/"],
    ["an unknown name", "https://nowhere.test/"],
    ["credentials", "https://a:b@receiver.test/"],
    ["no address", "picture.png"],
    ["a file", "file:///etc/passwd"],
  ]) {
    test(`${what} is not fetched`, async () => {
      assert.equal((await ask(String(address))).status, 502);
    });
  }
  for (const [what, status, headers, body] of [
    ["a page", 200, { "content-type": "text/html" }, "<p>"],
    ["SVG", 200, { "content-type": "image/svg+xml" }, "<svg/>"],
    ["no type", 200, {}, PNG],
    ["a redirect", 302, { "content-type": "image/png", location: "https://receiver.test/" }, PNG],
    ["an error", 404, { "content-type": "image/png" }, PNG],
    ["a compressed picture", 200, { "content-type": "image/png", "content-encoding": "gzip" }, PNG],
    ["too large a picture", 200, { "content-type": "image/png" }, Buffer.alloc(MAX_PICTURE_BYTES + 1)],
    [
      "too large a picture in chunks",
      200,
      { "content-type": "image/png", "transfer-encoding": "chunked" },
      Buffer.alloc(MAX_PICTURE_BYTES + 1),
    ],
  ] as const) {
    test(`${what} is not passed on`, async () => {
      answering(status, headers, body);
      const answer = await ask(receiver.url());
      assert.equal(answer.status, 502);
      assert.equal(answer.headers["cache-control"], "no-store");
      assert.equal(answer.text, "");
    });
  }
  test("six pictures of a person are on their way at a time; others wait, and do not hold up another person's", async () => {
    const held: (() => void)[] = [];
    receiver.respond = (_received, response) => {
      held.push(() => void response.writeHead(200, { "content-type": "image/png" }).end(PNG));
    };
    const answers = Array.from({ length: 8 }, () => ask(receiver.url()));
    await until(() => held.length === 6, "six are asked for");
    const bobs = askAt(world(), ticketOf((await logIn(world(), bob)).headers["set-cookie"]), receiver.url());
    await until(() => held.length === 7, "another person's is asked for beside them");
    for (let next = held.shift(); next !== undefined; next = held.shift()) next();
    await until(() => held.length === 2, "those that waited are asked for");
    for (const answer of held) answer();
    for (const { status } of await Promise.all([...answers, bobs])) assert.equal(status, 200);
  });
  test("what nobody waits for any more is not fetched to its end, and leaves its place", async () => {
    let closed = 0;
    receiver.respond = (_received, response) => {
      response.writeHead(200, { "content-type": "image/png" }).write(PNG);
      response.on("close", () => closed++);
    };
    const seen = receiver.requests.length;
    const gone = new AbortController();
    const url = `${world().url}/image-proxy?${new URLSearchParams({ address: receiver.url() })}`;
    const left = Promise.allSettled(
      Array.from({ length: 6 }, () => fetch(url, { headers: { cookie }, signal: gone.signal })),
    );
    await until(() => receiver.requests.length === seen + 6, "six are asked for");
    const askedAt = performance.now();
    gone.abort();
    await until(() => closed === 6, "the connections to their host end");
    assert.ok(performance.now() - askedAt < READ_MS, "they end before their time is up");
    for (const { status } of await left) assert.equal(status, "rejected");
    answering(200, { "content-type": "image/png" });
    assert.equal((await ask(receiver.url())).status, 200);
  });
  test("why a picture is not shown is in the log, without its address", async () => {
    assert.equal((await ask("https://inside.test/secret-path")).status, 502);
    answering(404, { "content-type": "image/png" });
    assert.equal((await ask(receiver.url())).status, 502);
    const reasons = world()
      .logLines.map((line) => JSON.parse(line) as { path?: string; reason?: string })
      .filter(({ path }) => path === "/image-proxy")
      .map(({ reason }) => reason);
    assert.deepEqual(reasons.slice(-2), [
      "the picture is not shown: private-address: inside.test is 10.0.0.1",
      "the picture is not shown: answered with 404",
    ]);
    assert.ok(!world().logLines.some((line) => line.includes("secret-path")));
  });
  test("a picture that does not come in time is refused, for that reason", async () => {
    receiver.respond = (_received, response) => {
      response.writeHead(200, { "content-type": "image/png" }).write(PNG);
    };
    const impatient = new PictureFetcher({ web: { imageNetworks: ["127.0.0.0/8"] } }, NETWORK, 50);
    const fetching = impatient.fetch(receiver.url(), new AbortController().signal);
    await assert.rejects(fetching, { name: "PictureRefused", message: "it was not complete within 50 ms" });
    answering(200, { "content-type": "image/png" });
  });
  test("networks that callbacks may go to are not those of pictures", async () => {
    assert.equal((await askAt(callbacks(), await ticketAt(callbacks()), receiver.url())).status, 502);
  });
  test("the pages load pictures of other hosts from nowhere else", async () => {
    for (const [url, isProxied] of [
      [world().url, true],
      [plain().url, false],
    ] as const) {
      for (const page of ["/messenger/", "/console/"]) {
        const { headers } = await send(url + page);
        const policy = String(headers["content-security-policy"]);
        assert.equal(/img-src [^;]*https: /.test(policy), !isProxied, policy);
      }
      assert.equal((await send(`${url}/start.json`)).json.imageProxy, isProxied);
    }
  });
  test("without the setting there is no proxy and no cookie", async () => {
    const { headers } = await logIn(plain(), alice);
    assert.equal(ticketOf(headers["set-cookie"]), "");
    assert.equal((await send(`${plain().url}/image-proxy?address=x`)).status, 404);
  });
  test("signing out takes the cookie back, and what it held is worth nothing any more", async () => {
    const cookies = String((await logIn(world(), alice)).headers["set-cookie"]);
    const ticket = ticketOf(cookies);
    assert.equal((await askAt(world(), ticket, receiver.url())).status, 200);
    const headers = { cookie: /portico_member_refresh=[^;]+/.exec(cookies)?.[0] ?? "" };
    const left = await send(`${world().url}/api/client/v1/auth/logout`, { method: "POST", headers });
    assert.match(String(left.headers["set-cookie"]), /portico_pictures=; Max-Age=0; .*Path=\/image-proxy/);
    assert.equal((await askAt(world(), ticket, receiver.url())).status, 403);
  });
  test("after the time of the access token it is worth nothing", async () => {
    assert.equal((await ask(receiver.url())).status, 200);
    world().clock.turn(7 * 86_400_000);
    assert.equal((await ask(receiver.url())).status, 403);
  });
});

onBothEngines("pictures fetched for the console", (engine, test) => {
  const hosts = { PORTICO_BASE_URL: "https://api.example.com", PORTICO_CONSOLE_URL: "https://console.example.com" };
  const env = { ...ENV, ...hosts, PORTICO_ENVIRONMENT: "production" };
  const world = suiteWorld(engine, consoleAcme(ownedApp("app_bot")), env, NETWORK);
  const host = "console.example.com";

  test("a developer gets them on the console's host, for as long as the login lasts", async () => {
    const receiver = await startReceiver({
      respond: (_received, response) => void response.writeHead(200, { "content-type": "image/png" }).end(PNG),
    });
    try {
      const at = (path: string, headers: Record<string, string>, body?: string) =>
        send(`${world().url}/${path}`, {
          method: body === undefined ? "GET" : "POST",
          headers: { host, ...headers },
          body,
        });
      const json = { "content-type": "application/json" };
      const login = await at("api/open/console/v1/auth/login", json, JSON.stringify(owner));
      const cookies = String(login.headers["set-cookie"]);
      const cookie = /portico_console_pictures=[^;]+/.exec(cookies)?.[0] ?? "";
      const ask = (headers: Record<string, string>) =>
        at(`image-proxy?${new URLSearchParams({ address: receiver.url() })}`, headers);
      assert.equal((await ask({ cookie })).status, 200);
      assert.equal((await ask({})).status, 403);
      const refresh = /open_refresh_token=[^;]+/.exec(cookies)?.[0] ?? "";
      const left = await at("api/open/console/v1/auth/logout", { cookie: refresh }, "");
      assert.match(String(left.headers["set-cookie"]), /portico_console_pictures=; Max-Age=0/);
      assert.equal((await ask({ cookie })).status, 403);
    } finally {
      await receiver.stop();
    }
  });
});

function ticketOf(cookies: unknown): string {
  return /portico_pictures=[^;]+/.exec(String(cookies))?.[0] ?? "";
}

async function ticketAt(world: World): Promise<string> {
  return ticketOf((await logIn(world, alice)).headers["set-cookie"]);
}

function askAt({ url }: World, cookie: string, address: string, headers: Record<string, string | null> = {}) {
  return send(`${url}/image-proxy?${new URLSearchParams({ address })}`, { headers: { cookie, ...headers } });
}
