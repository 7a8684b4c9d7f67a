import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { acme, alice, bob, botApp, sendText } from "./support/acme.ts";
import { carol } from "./support/client-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { MemberClient } from "./support/member.ts";
import { openStreams } from "./support/open-streams.ts";
import { StreamClient } from "./support/stream-client.ts";
import { suiteWorld, World } from "./support/world.ts";

const TEAM = "group:g_team";
const PATH = "/api/client/v1/stream";
const UPGRADE = "Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n";
const KEY = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

/** Waits until `isSo` holds; throws when it does not. */
async function until(isSo: () => boolean, what: string, withinMs = 10_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!isSo()) {
    assert.ok(performance.now() < deadline, what);
    await new Promise((done) => setTimeout(done, 10));
  }
}

onBothEngines("limits of the live stream", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot"), botApp("app_two", { installations: [] })));
  const signIn = (account = alice) => MemberClient.signIn(world(), account);
  const connectRaw = () => connect(Number(new URL(world().url).port), "127.0.0.1").on("error", () => {});

  test("a refused upgrade leaves no connection open", async () => {
    const descriptors = () => readdirSync("/proc/self/fd").length;
    const heads = {
      post: `POST ${PATH} HTTP/1.1\r\n${UPGRADE}Content-Length: 0\r\n\r\n`,
      head: `HEAD ${PATH} HTTP/1.1\r\n${UPGRADE}\r\n`,
      "wrong token": `GET ${PATH} HTTP/1.1\r\n${UPGRADE}Authorization: Bearer x\r\n\r\n`,
      "no key": `GET ${PATH} HTTP/1.1\r\n${UPGRADE}\r\n`,
    };
    for (const [name, head] of Object.entries(heads)) {
      const before = descriptors();
      for (let n = 0; n < 30; n++) {
        const socket = connectRaw();
        socket.write(head);
        await once(socket, "data");
        socket.destroy();
      }
      await until(() => descriptors() < before + 10, `${name}: ${descriptors() - before} connections are left`);
    }
  });

  test("a client that disconnects before the upgrade leaves no stream open", async (t) => {
    const open = openStreams(t, world());
    const { token } = await signIn();
    for (let n = 0; n < 60; n++) {
      const socket = connectRaw();
      await once(socket, "connect");
      socket.write(`GET ${PATH} HTTP/1.1\r\n${UPGRADE}${KEY}Authorization: Bearer ${token}\r\n\r\n`);
      setTimeout(() => socket.resetAndDestroy(), n % 3);
      await once(socket, "close");
    }
    await until(() => open.size === 0, "streams are left");
    const streams = await Promise.all(Array.from({ length: 20 }, () => StreamClient.open(world().url, token)));
    for (const stream of streams) await stream.close();
  });

  test("of 100 concurrently opened streams a member gets 20", async () => {
    const { token } = await signIn(bob);
    const all = await Promise.allSettled(Array.from({ length: 100 }, () => StreamClient.open(world().url, token)));
    const open = all.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    assert.equal(open.length, 20);
    const browser = await StreamClient.open(world().url, null);
    browser.send({ type: "auth", accessToken: token });
    assert.deepEqual(await browser.closed, { code: 1013, reason: "too many streams" });
    assert.ok(!world().logLines.some((line) => line.includes("could not be handled")));
    for (const stream of open) await stream.close();
  });

  test("frames sent immediately after the token are not lost", async () => {
    const { token } = await signIn(carol);
    const stream = await StreamClient.open(world().url, null);
    stream.send({ type: "auth", accessToken: token });
    stream.send({ type: "resume", afterSeq: { "group:none": 0 } });
    const frames = await stream.take(2);
    assert.deepEqual(
      frames.map(({ type }) => type),
      ["ready", "error"],
    );
    await stream.close();
  });

  test("one frame may resume 1,000 conversations; a frame with more is invalid", async () => {
    const places = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`x${n}`, 0]));
    const stream = await StreamClient.open(world().url, (await signIn()).token);
    stream.send({ type: "resume", afterSeq: places(1_000) });
    const [refused] = await stream.take(1);
    assert.equal(refused.conversationIds.length, 1_000);
    stream.send({ type: "resume", afterSeq: places(1_001) });
    assert.equal((await stream.closed).code, 1008);
  });

  test("a client that resumes repeatedly without reading is disconnected, without memory growth", async (t) => {
    const open = openStreams(t, world());
    const stream = await StreamClient.open(world().url, (await signIn()).token);
    stream.socket.pause();
    const afterSeq = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`${n}`, 0]));
    const before = process.memoryUsage.rss();
    let worst = 0;
    const watch = setInterval(() => {
      worst = Math.max(worst, process.memoryUsage.rss() - before);
    }, 20);
    t.after(() => clearInterval(watch));
    for (let n = 0; n < 400; n++) stream.send({ type: "resume", afterSeq });
    await until(() => open.size === 0, "the stream is still there", 30_000);
    stream.socket.terminate();
    assert.ok(worst < 100e6, `${worst} bytes`);
  });

  test("silent connections do not prevent browsers from signing in", async () => {
    const { token } = await signIn(carol);
    const silent = Array.from({ length: 1_000 }, () => connectRaw());
    for (const socket of silent) socket.write(`GET ${PATH} HTTP/1.1\r\n${UPGRADE}${KEY}\r\n`);
    await Promise.all(silent.map((socket) => once(socket, "data")));
    const stream = await StreamClient.open(world().url, null);
    stream.send({ type: "auth", accessToken: token });
    await stream.take(1);
    await stream.close();
    for (const socket of silent) socket.destroy();
  });

  test("a position that this process does not know yet causes no repeats", async () => {
    const url = engine.name === "postgres" ? (await world().start()).url : world().url;
    const bobs = await StreamClient.open(url, (await MemberClient.signIn({ url }, bob)).token);
    const { coordination, live } = world().portico.ctx;
    const { topics } = coordination;
    const { tell } = topics;
    topics.tell = () => {};
    const { msgSeq } = (await sendText(world(), "app_bot", "nobody was told")).json.value;
    topics.tell = tell;
    const alices = await StreamClient.open(url, (await MemberClient.signIn({ url }, alice)).token);
    alices.send({ type: "resume", afterSeq: { [TEAM]: msgSeq } });
    await bobs.find((frame) => frame.msgSeq === msgSeq);
    const next = (await sendText(world(), "app_bot", "told")).json.value.msgSeq;
    await alices.find((frame) => frame.msgSeq === next);
    assert.deepEqual(
      alices.frames.map((frame) => frame.msgSeq).filter((seq) => seq >= msgSeq),
      [next],
    );
    live.changed(TEAM, Number.NaN);
    live.changed(TEAM, next + 1_000);
    const last = (await sendText(world(), "app_bot", "after false hints")).json.value.msgSeq;
    await alices.find((frame) => frame.msgSeq === last);
    for (const stream of [alices, bobs]) await stream.close();
  });

  test("messages sent before a conversation was found to be the member's are delivered", async () => {
    const member = await signIn();
    const stream = await StreamClient.open(world().url, member.token);
    const { live } = world().portico.ctx;
    const { conversationsChanged } = live;
    live.conversationsChanged = () => {};
    await member.post("installations", { appId: "app_two", targetType: "USER", targetId: "u_alice" });
    live.conversationsChanged = conversationsChanged;
    await member.post("conversations/bot:app_two/messages", { msgType: "text", content: { text: "early" } });
    for (let n = 0; n < 5; n++) live.conversationsChanged("u_alice");
    const frame = await stream.find(({ conversationId }) => conversationId === "bot:app_two");
    assert.equal(frame.message.content.text, "early");
    await stream.close();
  });
});

onBothEngines("a stop of the service", (engine, test) => {
  test("closes all streams with 1001, including those being opened", async () => {
    const world = await World.create(engine, acme(botApp("app_bot")));
    const { token } = await MemberClient.signIn(world, alice);
    const [open, silent] = [await StreamClient.open(world.url, token), await StreamClient.open(world.url, null)];
    const { feeds } = world.portico.ctx.live;
    const held = Promise.withResolvers<void>();
    const watching = Promise.withResolvers<void>();
    const watch = feeds.watch.bind(feeds);
    feeds.watch = async (...args) => {
      watching.resolve();
      await held.promise;
      return watch(...args);
    };
    const opening = StreamClient.open(world.url, token).then(
      (stream) => stream.closed.then(({ code }) => code),
      (error: Error) => error.message,
    );
    await watching.promise;
    const startedAt = performance.now();
    const stopped = world.dispose();
    assert.equal((await open.closed).code, 1001);
    assert.equal((await silent.closed).code, 1001);
    held.resolve();
    assert.match(String(await opening), /1001|503/);
    await stopped;
    assert.ok(performance.now() - startedAt < 4_000);
  });
});
