import assert from "node:assert/strict";
import { after, before } from "node:test";
import { MAX_PICTURE_BYTES } from "../src/domain/pictures/picture-fetcher.ts";
import { alice } from "./support/acme.ts";
import { TEST_CA } from "./support/certificates.ts";
import { clientAcme, logIn } from "./support/client-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { send } from "./support/http.ts";
import { type Receiver, resolverOf, startReceiver } from "./support/receiver.ts";
import { until } from "./support/webhooks.ts";
import { suiteWorld } from "./support/world.ts";

const PNG = Buffer.from("89504e470d0a1a0a", "hex");
const ENV = { PORTICO_WEB_IMAGE_PROXY: "true", PORTICO_WEBHOOK_ALLOW_NETWORKS: "127.0.0.0/8" };
const NETWORK = { lookup: resolverOf({ "receiver.test": ["127.0.0.1"], "inside.test": ["10.0.0.1"] }), ca: TEST_CA };

onBothEngines("pictures fetched for the pages", (engine, test) => {
  const world = suiteWorld(engine, clientAcme(), ENV, NETWORK);
  const plain = suiteWorld(engine, clientAcme());
  let receiver: Receiver;
  let cookie = "";
  before(async () => {
    receiver = await startReceiver();
    cookie = ticketOf((await logIn(world(), alice)).headers["set-cookie"]);
  });
  after(() => receiver.stop());

  const ask = (address: string, headers: Record<string, string | null> = {}) =>
    send(`${world().url}/image-proxy?${new URLSearchParams({ address })}`, { headers: { cookie, ...headers } });
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
  test("nobody else does: no cookie, a changed or expired one, another site's page, a cookie of no member", async () => {
    answering(200, { "content-type": "image/png" });
    const seen = receiver.requests.length;
    const [name = "", ticket = ""] = cookie.split("=");
    const [user, until, mac = ""] = ticket.split(".");
    const attempts: Record<string, string | null>[] = [
      { cookie: null },
      { cookie: `${name}=` },
      { cookie: `${name}=${user}.${Number(until) + 1}.${mac}` },
      { cookie: `${name}=${Buffer.from("u_bob").toString("base64url")}.${until}.${mac}` },
      { cookie: `${name}=${user}.${until}.${[...mac].reverse().join("")}` },
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
  test("a caller has at most six pictures on their way", async () => {
    const held: (() => void)[] = [];
    receiver.respond = (_received, response) => {
      held.push(() => void response.writeHead(200, { "content-type": "image/png" }).end(PNG));
    };
    const first = Array.from({ length: 6 }, () => ask(receiver.url()));
    await until(() => held.length === 6, "six are asked for");
    assert.equal((await ask(receiver.url())).status, 429);
    for (const answer of held) answer();
    for (const { status } of await Promise.all(first)) assert.equal(status, 200);
    answering(200, { "content-type": "image/png" });
    await until(async () => (await ask(receiver.url())).status === 200, "there is room again");
  });
  test("the messenger loads pictures of other hosts from nowhere else", async () => {
    for (const [url, isProxied] of [
      [world().url, true],
      [plain().url, false],
    ] as const) {
      const { headers } = await send(`${url}/messenger/`);
      const policy = String(headers["content-security-policy"]);
      assert.equal(/img-src [^;]*https: /.test(policy), !isProxied, policy);
      assert.equal((await send(`${url}/start.json`)).json.imageProxy, isProxied);
    }
  });
  test("without the setting there is no proxy and no cookie", async () => {
    const { headers } = await logIn(plain(), alice);
    assert.equal(ticketOf(headers["set-cookie"]), "");
    assert.equal((await send(`${plain().url}/image-proxy?address=x`)).status, 404);
  });
  test("signing out takes the cookie back; after its time it is worth nothing", async () => {
    const { headers } = await send(`${world().url}/api/client/v1/auth/logout`, { method: "POST" });
    assert.match(String(headers["set-cookie"]), /portico_pictures=; Max-Age=0; .*Path=\/image-proxy/);
    world().clock.turn(7 * 86_400_000);
    assert.equal((await ask(receiver.url())).status, 403);
  });
});

function ticketOf(cookies: unknown): string {
  return /portico_pictures=[^;]+/.exec(String(cookies))?.[0] ?? "";
}
