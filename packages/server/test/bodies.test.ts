import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import type { TestContext } from "node:test";
import { signRequest } from "@portico/protocol/signature";
import type { BufferedBody } from "../src/platform/http/buffered-body.ts";
import { acme, alice, bob, botApp, credentialsOf, MESSAGES, sendText } from "./support/acme.ts";
import { assertSuccess } from "./support/assert-answer.ts";
import { CLIENT, logIn } from "./support/client-acme.ts";
import { consoleAcme, owner } from "./support/console.ts";
import { DESK } from "./support/desk.ts";
import { onBothEngines } from "./support/engines.ts";
import { send } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { suiteWorld, type World } from "./support/world.ts";

const KIB = 1024;
const MOST = 4 * KIB * KIB;
const TEAM = `${CLIENT}/conversations/group:g_team/messages`;
const CONSOLE = "/api/open/console/v1";

/** A connection with a request in progress, and the answer received so far. */
class Begun {
  readonly socket: Socket;
  answer = "";

  constructor(world: World, localAddress = "127.0.0.1") {
    this.socket = connect({ port: Number(new URL(world.url).port), host: "127.0.0.1", localAddress });
    this.socket
      .on("error", () => {})
      .on("data", (chunk) => {
        this.answer += chunk;
      });
  }

  /** Sends a head that announces 255 KiB, and a part of the body. */
  post(path: string, headers: Record<string, string>, body: string | Buffer): void {
    const fields = { Host: "portico", "Content-Type": "application/json", "Content-Length": 255 * KIB, ...headers };
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
    this.socket.write(`POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
    this.socket.write(body);
  }

  get status(): number {
    return Number(/^HTTP\/1\.1 (\d{3}) /.exec(this.answer)?.[1] ?? 0);
  }

  /** Waits for the complete answer; returns its status and body. */
  async answered(): Promise<[status: number, body: string]> {
    const signal = AbortSignal.timeout(10_000);
    while (!/\r\n\r\n.*\}$/s.test(this.answer)) await once(this.socket, "data", { signal });
    return [this.status, this.answer.slice(this.answer.indexOf("\r\n\r\n") + 4)];
  }
}

async function until(isSo: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!isSo()) {
    assert.ok(performance.now() < deadline, what);
    await new Promise((done) => setTimeout(done, 10));
  }
}

/** Fills half of the memory for bodies until the end of the test; returns its size in bytes. */
async function fillHalf(t: TestContext, world: World): Promise<number> {
  const { bodies } = world.portico.ctx;
  const held: BufferedBody[] = [];
  for (let n = 0; bodies.bytes < MOST / 2; n++) {
    const request = new PassThrough();
    request.end(Buffer.alloc(256 * KIB));
    held.push(await bodies.read(request, { caller: `another ${n}`, address: "" }, 256 * KIB));
  }
  t.after(() => held.map((body) => body[Symbol.dispose]()));
  return bodies.bytes;
}

/** Headers that a stranger who knows an application's ids can send. */
function strangersHeaders(world: World, appId: string): Record<string, string> {
  const parts = { method: "POST", path: MESSAGES, rawQuery: "", nonce: randomUUID(), timestamp: world.clock.now() };
  return signRequest({ ...credentialsOf(appId), ...parts, appSecret: "not the secret", body: "" }).headers;
}

onBothEngines("bodies", (engine, test) => {
  // Of 4 MiB, one caller may use 512 KiB plus the free part of the first half.
  const world = suiteWorld(engine, consoleAcme(...(acme(botApp("app_bot")).apps ?? [])), {
    PORTICO_LIMITS_BODY_BYTES: String(MOST),
  });
  const opener = (t: TestContext) => {
    const all: Begun[] = [];
    t.after(() => all.map(({ socket }) => socket.destroy()));
    return (localAddress?: string) => {
      const begun = new Begun(world(), localAddress);
      all.push(begun);
      return begun;
    };
  };
  const held = () => world().portico.ctx.bodies.bytes;

  test("no body is read before its caller is known: 401 while it is still being sent", async (t) => {
    const begin = opener(t);
    for (const path of [TEAM, `${DESK}/apps/app_bot/sessions/1/messages`, "/api/widget/v1/messages"]) {
      const stranger = begin();
      stranger.post(path, { Authorization: "Bearer nobody's" }, "x".repeat(200 * KIB));
      const [status, body] = await stranger.answered();
      assert.deepEqual([status, JSON.parse(body).code], [401, "400001"], path);
    }
    const developer = begin();
    developer.post(`${CONSOLE}/apps`, { Authorization: "Bearer nobody's" }, "x".repeat(200 * KIB));
    assert.equal((await developer.answered())[0], 401);
    assert.equal(held(), 0);
  });

  test("what strangers send is let go of as it comes, whichever API refuses it", async (t) => {
    const json = { "Content-Type": "application/json" };
    const refused: [path: string, status: number, headers?: Record<string, string>][] = [
      [MESSAGES, 401],
      ["/api/open/v2/bot/files", 401, { "Content-Type": "multipart/form-data; boundary=x" }],
      ["/api/open/v1/visitor/auth", 401],
      [TEAM, 401, { Authorization: "Bearer nobody's" }],
      [`${CLIENT}/auth/login`, 413],
      [`${DESK}/apps/app_bot/sessions/1/messages`, 401, { Authorization: "Bearer nobody's" }],
      ["/api/widget/v1/files", 401, { "Content-Type": "multipart/form-data; boundary=x" }],
      [`${CONSOLE}/apps`, 401, { Authorization: "Bearer nobody's" }],
      [`${CONSOLE}/auth/login`, 413],
      [`${CONSOLE}/operator/members`, 401, { Authorization: "Bearer nobody's" }],
      ["/scim/v2/t_acme/Users", 401, { Authorization: "Bearer nobody's", "Content-Type": "application/scim+json" }],
      ["/docs/json", 404],
      ["/nowhere", 404],
    ];
    const body = Buffer.alloc(255 * KIB, "x");
    const held = () => process.memoryUsage().arrayBuffers;
    for (const [path, status, headers] of refused) {
      const before = held();
      let most = 0;
      const begun = Array.from({ length: 100 }, () => new Begun(world()));
      t.after(() => begun.map(({ socket }) => socket.destroy()));
      for (const one of begun) {
        one.socket.on("data", () => {
          most = Math.max(most, held() - before);
        });
        one.post(path, { ...json, ...headers }, body);
      }
      for (const one of begun) assert.ok([status, 429].includes((await one.answered())[0]), path);
      for (const { socket } of begun) socket.destroy();
      assert.ok(most < 8 * KIB * KIB, `${path}: ${most}`);
    }
  });

  test("a caller who reads the answer only after the whole body gets it, and then the end of the connection", async (t) => {
    for (const connection of ["keep-alive", "close"]) {
      const late = opener(t)();
      late.socket.pause();
      const length = 8 * KIB * KIB;
      late.post(MESSAGES, { Connection: connection, "Content-Length": String(length) }, Buffer.alloc(length, "x"));
      await once(late.socket, "drain");
      late.socket.resume();
      assert.equal((await late.answered())[0], 413);
      assert.match(late.answer, /\r\nconnection: close\r\n/i);
      if (!late.socket.readableEnded) await once(late.socket, "end");
    }
  });

  test("calls without a token may send 8 KiB; more is refused in the contract of their API", async () => {
    const long = { ...alice, padding: "x".repeat(8 * KIB) };
    for (const chunked of [false, true]) {
      const client = await logIn(world(), long, { chunked });
      assert.deepEqual([client.status, client.json.code], [413, "413001"]);
      const body = JSON.stringify({ ...owner, padding: "x".repeat(8 * KIB) });
      const headers = { "content-type": "application/json" };
      const path = `${CONSOLE}/auth/login`;
      const answer = await send(world().url + path, { method: "POST", headers, body, chunked });
      assert.deepEqual([answer.status, answer.json.status, answer.json.path], [413, 413, path]);
      assert.equal(answer.json.code, undefined);
    }
    assertSuccess(await logIn(world(), { ...alice, padding: "x".repeat(7 * KIB) }));
  });

  test("a caller's oldest unfinished bodies are dropped for the caller's next one, and for nobody else's", async (t) => {
    const begin = opener(t);
    const { token } = await MemberClient.signIn(world(), alice);
    const authorization = { Authorization: `Bearer ${token}` };
    const before = await fillHalf(t, world());
    const unfinished = [1, 2, 3, 4, 5].map(() => begin());
    for (const [n, one] of unfinished.entries()) {
      one.post(TEAM, authorization, "x".repeat(130 * KIB));
      // The fourth exceeds the limit.
      const isIn = () => (n < 3 ? held() > before + (n + 1) * 130 * KIB : unfinished[n - 3]?.status !== 0);
      await until(isIn, `body ${n} has not been received`);
    }
    const [status, body] = (await unfinished[0]?.answered()) ?? [];
    assert.deepEqual([status, JSON.parse(body ?? "").code], [429, "429001"]);
    assert.match(unfinished[0]?.answer ?? "", /\r\nretry-after: 1\r\n/i);
    assert.deepEqual(
      unfinished.map((one) => one.status),
      [429, 429, 0, 0, 0],
    );
    assert.ok(held() <= before + 512 * KIB, `${held()}`);
    const other = await MemberClient.signIn(world(), bob);
    const said = { msgType: "text", content: { text: "x".repeat(200 * KIB) } };
    for (const member of [other, await MemberClient.signIn(world(), alice)]) {
      assertSuccess(await member.post("conversations/group:g_team/messages", said));
    }
    for (const { socket } of unfinished) socket.destroy();
    await until(() => held() === before, "bodies are still counted");
  });

  test("strangers who use an application's name do not lock it out, wherever they send from", async (t) => {
    const begin = opener(t);
    for (let n = 0; n < 60; n++) {
      begin(`127.0.0.${2 + (n % 3)}`).post(MESSAGES, strangersHeaders(world(), "app_bot"), "x".repeat(250 * KIB));
    }
    await until(() => held() > MOST / 4, "little has been received");
    for (let n = 0; n < 5; n++) assertSuccess(await sendText(world(), "app_bot", "x".repeat(100 * KIB)));
    assert.ok(held() <= MOST, `${held()}`);
  });

  test("a body in many small pieces needs no more memory than its bytes", async (t) => {
    const { token } = await MemberClient.signIn(world(), bob);
    await until(() => held() === 0, "bodies of the test before are still counted");
    const begun = opener(t)();
    const headers = `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked`;
    begun.socket.write(`POST ${TEAM} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n\r\n`);
    const body = JSON.stringify({ msgType: "text", content: { text: "x".repeat(100 * KIB) } });
    begun.socket.write([...body].map((character) => `1\r\n${character}\r\n`).join(""));
    await until(() => held() > 100 * KIB, "the body has not been received");
    assert.ok(held() < 300 * KIB, `${held()}`);
    begun.socket.write("0\r\n\r\n");
    assert.equal((await begun.answered())[0], 200);
    await until(() => held() === 0, "bodies are still counted");
  });
});

onBothEngines("callers who dawdle", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot")), {
    PORTICO_LIMITS_CONNECTIONS: "12",
    PORTICO_LIMITS_BODY_TIMEOUT: "300ms",
    PORTICO_LIMITS_HEAD_TIMEOUT: "300ms",
  });

  test("refuse a body that does not arrive in time, in the API's own contract", async (t) => {
    const { token } = await MemberClient.signIn(world(), alice);
    const [member, app] = [new Begun(world()), new Begun(world())];
    t.after(() => [member, app].map(({ socket }) => socket.destroy()));
    member.post(TEAM, { Authorization: `Bearer ${token}` }, "{");
    app.post(MESSAGES, strangersHeaders(world(), "app_bot"), "{");
    for (const one of [member, app]) {
      const [status, body] = await one.answered();
      assert.deepEqual([status, JSON.parse(body).code, JSON.parse(body).message], [400, "400006", "请求体接收超时"]);
    }
    assert.equal(world().portico.ctx.bodies.bytes, 0);
  });

  test("refuse a connection whose head does not end: 408", async () => {
    const begun = new Begun(world());
    begun.socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\n");
    assert.equal((await begun.answered())[0], 408);
  });

  test("silent connections and unfinished bodies lock nobody out", async (t) => {
    const silent = Array.from({ length: 40 }, () => new Begun(world()));
    t.after(() => silent.map(({ socket }) => socket.destroy()));
    await Promise.all(silent.map(({ socket }) => once(socket, "connect")));
    assertSuccess(await sendText(world(), "app_bot", "beside silence"));
    for (const one of silent) one.post(MESSAGES, strangersHeaders(world(), "app_bot"), "{");
    for (let n = 0; n < 40; n++) {
      const one = new Begun(world());
      silent.push(one);
      one.post(MESSAGES, strangersHeaders(world(), "app_bot"), "{");
    }
    assertSuccess(await sendText(world(), "app_bot", "beside unfinished bodies"));
    await until(() => silent.filter(({ socket }) => !socket.destroyed).length <= 12, "all connections are kept");
  });

  test("a request with too many headers is refused completely: 431", async () => {
    const headers = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`x-${n}`, "1"]));
    const answer = await send(`${world().url}/healthz`, { headers });
    assert.deepEqual([answer.status, answer.json.code], [431, "400006"]);
  });
});
