import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { acme, alice, botApp } from "./support/acme.ts";
import { customerApp } from "./support/customer-acme.ts";
import { DESK, DeskClient, WIDGET_STREAM } from "./support/desk.ts";
import { onBothEngines } from "./support/engines.ts";
import { MemberClient } from "./support/member.ts";
import { StreamClient } from "./support/stream-client.ts";
import { suiteWorld, type World } from "./support/world.ts";

const PATH = "/api/client/v1/stream";
const TOO_MANY = { code: 1008, reason: "too many frames" };

/** Positions in `count` conversations that do not exist. */
const foreign = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`bot:x${n}`, 0]));

/** The bytes of a client's frame (RFC 6455, section 5.2). */
function wireFrame({ opcode, fin = true, payload = "" }: { opcode: number; fin?: boolean; payload?: string }): Buffer {
  const mask = randomBytes(4);
  const masked = Buffer.from(payload).map((byte, at) => byte ^ (mask[at % 4] ?? 0));
  return Buffer.concat([Buffer.of((fin ? 0x80 : 0) | opcode, 0x80 | masked.length), mask, masked]);
}

/** The close code of the stream; throws when it does not end. */
async function endOf(stream: StreamClient): Promise<unknown> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("the stream is still open")), 10_000);
  return await Promise.race([stream.closed, promise]).finally(() => clearTimeout(timer));
}

/** Opens a stream without a token on a raw socket. */
async function openRaw(world: World): Promise<Socket> {
  const socket = connect(Number(new URL(world.url).port), "127.0.0.1").on("error", () => {});
  const key = `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString("base64")}\r\n`;
  socket.write(`GET ${PATH} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${key}\r\n`);
  await once(socket, "data");
  return socket;
}

/** The code of the received close frame. */
async function closeCode(socket: Socket): Promise<number> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  await once(socket, "close", { signal: AbortSignal.timeout(10_000) });
  const all = Buffer.concat(chunks);
  const at = all.lastIndexOf(0x88);
  return at === -1 ? 0 : all.readUInt16BE(at + 2);
}

onBothEngines("floods of frames", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot"), customerApp("app_desk")));
  const memberStream = async () => StreamClient.open(world().url, (await MemberClient.signIn(world(), alice)).token);

  test("frames that arrive together are handled in separate turns of the event loop", async (t) => {
    const streams = await Promise.all(Array.from({ length: 3 }, memberStream));
    let turn = 0;
    let ended = false;
    const count = () => {
      turn++;
      if (!ended) setImmediate(count);
    };
    count();
    t.after(() => {
      ended = true;
    });
    const handledIn: number[] = [];
    const { feeds } = world().portico.ctx.live;
    const watch = feeds.watch.bind(feeds);
    t.mock.method(feeds, "watch", (...args: Parameters<typeof watch>) => {
      handledIn.push(turn);
      return watch(...args);
    });
    for (const stream of streams) for (let n = 0; n < 5; n++) stream.send({ type: "resume", afterSeq: foreign(1_000) });
    for (const stream of streams) await stream.take(5);
    assert.equal(handledIn.length, 15);
    // With PostgreSQL, answers for several streams may arrive together; by then each has waited for its own.
    if (engine.name === "sqlite") assert.equal(new Set(handledIn).size, 15, `turns ${handledIn}`);
    for (const stream of streams) await stream.close();
  });

  test("a member who keeps sending resumes is disconnected with 1008, in new streams as well", async () => {
    const { token } = await MemberClient.signIn(world(), alice);
    const [afterSeq, ends] = [foreign(1_000), new Set<unknown>()];
    let answered = 0;
    for (let n = 0; n < 40 && !ends.has(429); n++) {
      const stream = await StreamClient.open(world().url, token).catch(() => null);
      if (stream === null) {
        ends.add(429);
        continue;
      }
      for (let sent = 0; sent < 30; sent++) stream.send({ type: "resume", afterSeq });
      assert.deepEqual(await endOf(stream), TOO_MANY);
      answered += stream.frames.length;
    }
    assert.ok(ends.has(429), "it could open streams again and again");
    assert.ok(answered < 200, `${answered} resumes were answered`);
    world().clock.turn(60_000);
    const later = await StreamClient.open(world().url, token);
    later.send({ type: "resume", afterSeq });
    await later.take(1);
    await later.close();
  });

  test("a busy desk client stays within the frame budget, a flood does not", async () => {
    const agent = await DeskClient.signIn(world(), "u_bob");
    const [eager, flood] = [await agent.stream(), await agent.stream()];
    for (let n = 0; n < 200; n++) eager.send({ type: "typing", sessionId: n });
    eager.send({ type: "resume", afterSeq: { v_1: 0, v_2: 0 } });
    const { visitorId, visitorIds, code } = await eager.find(({ type }) => type === "error");
    assert.deepEqual({ visitorId, visitorIds, code }, { visitorId: "v_1", visitorIds: ["v_1", "v_2"], code: "400008" });
    for (let n = 0; n < 700; n++) flood.send({ type: "typing", sessionId: n });
    assert.deepEqual(await endOf(flood), TOO_MANY);
    await eager.close();
  });

  test("pings count as frames, and are answered within the budget", async () => {
    const stream = await StreamClient.open(world().url, null, `${DESK}/stream`);
    let answers = 0;
    stream.socket.on("pong", () => answers++);
    for (let n = 0; n < 700; n++) stream.socket.ping();
    assert.deepEqual(await endOf(stream), TOO_MANY);
    assert.ok(answers > 100 && answers <= 600, `${answers} pings were answered`);
    const widget = await StreamClient.open(world().url, null, WIDGET_STREAM);
    for (let n = 0; n < 700; n++) widget.socket.pong();
    assert.deepEqual(await endOf(widget), TOO_MANY);
  });

  test("a frame in very many fragments, or a long one before sign-in, closes the stream", async () => {
    const socket = await openRaw(world());
    const fragments = Array.from({ length: 5_000 }, (_, n) => {
      return wireFrame({ opcode: n === 0 ? 1 : 0, fin: false, payload: "x" });
    });
    const code = closeCode(socket);
    socket.write(Buffer.concat(fragments));
    assert.equal(await code, 1008);
    const long = await StreamClient.open(world().url, null);
    long.send({ type: "auth", accessToken: "x".repeat(5_000) });
    assert.deepEqual(await endOf(long), { code: 4401, reason: "not signed in" });
  });
});

onBothEngines("the streams of a process", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot")), { PORTICO_LIMITS_CONNECTIONS: "12" });

  test("use at most three quarters of its connections", async () => {
    const { token } = await MemberClient.signIn(world(), alice);
    const agent = await DeskClient.signIn(world(), "u_bob");
    const open = await Promise.all(Array.from({ length: 6 }, () => StreamClient.open(world().url, token)));
    open.push(...(await Promise.all(Array.from({ length: 3 }, () => agent.stream()))));
    await assert.rejects(StreamClient.open(world().url, token), /429/);
    await assert.rejects(agent.stream(), /429/);
    const browser = await StreamClient.open(world().url, null);
    browser.send({ type: "auth", accessToken: token });
    assert.deepEqual(await endOf(browser), { code: 1013, reason: "too many streams" });
    await open.pop()?.close();
    const again = await StreamClient.open(world().url, token);
    for (const stream of [...open, again]) await stream.close();
  });

  test("that are silent make room for new ones; those whose sign-in is being checked do not", async (t) => {
    const { token } = await MemberClient.signIn(world(), alice);
    const { turns } = world().portico.ctx;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const next = t.mock.method(turns, "next", () => released);
    const waiting = await StreamClient.open(world().url, null);
    waiting.send({ type: "auth", accessToken: token });
    await t.waitFor(() => assert.equal(next.mock.callCount(), 1));
    const silent: StreamClient[] = [];
    for (let n = 0; n < 5; n++) silent.push(await StreamClient.open(world().url, null));
    for (const one of silent.slice(0, -1)) assert.deepEqual(await endOf(one), { code: 1006, reason: "" });
    release();
    assert.deepEqual(await waiting.take(1), [{ type: "ready" }]);
    await waiting.close();
    await silent.at(-1)?.close();
  });
});
