import assert from "node:assert/strict";
import { acme } from "./support/acme.ts";
import { ConsoleClient, consoleAcme, owner } from "./support/console.ts";
import { CustomerClient, customerApp } from "./support/customer-acme.ts";
import { DESK, DeskClient, sendHeartbeat, sweep, WIDGET_STREAM } from "./support/desk.ts";
import { onBothEngines } from "./support/engines.ts";
import { send } from "./support/http.ts";
import { collectGarbage } from "./support/memory.ts";
import { StreamClient } from "./support/stream-client.ts";
import { sendTogether } from "./support/together.ts";
import { suiteWorld } from "./support/world.ts";

const APPS = [
  "app_live",
  "app_resume",
  "app_slow",
  "app_typing",
  "app_far",
  "app_lost",
  "app_signs",
  "app_end",
  "app_found",
  "app_waits",
  "app_parts",
];

/** Waits until `isSo` holds; throws when it does not. */
async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!(await isSo())) {
    assert.ok(performance.now() < deadline, what);
    await new Promise((done) => setTimeout(done, 10));
  }
}

/** Bytes that the process cannot let go of. */
function memoryInUse(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

onBothEngines("streams of agents and visitors", (engine, test) => {
  const world = suiteWorld(engine, acme(...APPS.map((appId) => customerApp(appId))));
  const client = (appId: string) => new CustomerClient(world, appId);
  const signIn = (userId = "u_alice") => DeskClient.signIn(world(), userId);
  const seqsOf = ({ frames }: StreamClient) =>
    frames.filter(({ type }) => type === "message.created").map(({ message }) => message.seq);
  const newVisitor = async (appId: string) => {
    const app = client(appId);
    return await app.value(app.post("visitor/auth", { thirdUserId: `stream-${Math.random()}` }));
  };
  const widget = (token: string, url = world().url) => StreamClient.open(url, token, WIDGET_STREAM);
  /** Another process, if there can be one. */
  const farUrl = async () => (engine.name === "postgres" ? (await world().start()).url : world().url);
  const messages = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

  test("agent and visitor get each session event and message once and in order", async () => {
    const [alice, bob, app] = [await signIn(), await signIn("u_bob"), client("app_live")];
    const { visitorId, visitorToken } = await newVisitor("app_live");
    const [alices, bobs, visitors] = [await alice.stream(), await bob.stream(), await widget(visitorToken)];
    await app.value(app.post("message/send", { visitorId, content: "1" }));
    const { session } = await alices.find(({ change }) => change === "created");
    const path = `apps/app_live/sessions/${session.sessionId}`;
    await alice.ok("POST", `${path}/accept`);
    await alices.find(({ change }) => change === "assigned");
    assert.deepEqual(seqsOf(alices), [], "what waits in the queue is read, not told");
    for (const content of ["2", "3"]) await alice.ok("POST", `${path}/messages`, { content, clientMessageId: content });
    for (const content of ["4", "5"]) await app.value(app.post("message/send", { visitorId, content }));
    await alice.ok("POST", `${path}/close`, {});
    for (const stream of [alices, visitors]) await stream.find(({ change }) => change === "closed");
    await bobs.find(({ change }) => change === "closed");
    const shown = (stream: StreamClient) =>
      stream.frames.map(({ type, change, message }) => (type === "session.changed" ? change : message.content));
    assert.deepEqual(shown(alices), ["created", "assigned", "2", "3", "4", "5", "closed"]);
    assert.deepEqual(shown(bobs), ["created", "assigned", "closed"]);
    // Message frames and session frames come from two sources.
    assert.deepEqual(seqsOf(visitors), [1, 2, 3, 4, 5]);
    assert.deepEqual(
      visitors.frames.flatMap(({ change }) => change ?? []),
      ["created", "assigned", "closed"],
    );
    assert.equal(shown(visitors).at(-1), "closed");
    const own = alices.frames.find(({ message }) => message?.seq === 2);
    assert.deepEqual([own.appId, own.message.clientMessageId, "thirdMsgId" in own.message], ["app_live", "2", false]);
    for (const stream of [alices, bobs, visitors]) await stream.close();
  });

  test("a change that a stream has found by looking is not told again when its hint comes", async (t) => {
    const [alice, bob, app] = [await signIn(), await signIn("u_bob"), client("app_found")];
    const { visitorId, visitorToken } = await newVisitor("app_found");
    const [alices, bobs, visitors] = [await alice.stream(), await bob.stream(), await widget(visitorToken)];
    const { deskLive } = world().portico.ctx;
    const late: (() => void)[] = [];
    const tell = deskLive.sessionChanged.bind(deskLive);
    const hints = t.mock.method(deskLive, "sessionChanged", (...hint: Parameters<typeof tell>) => {
      late.push(() => tell(...hint));
    });
    await app.value(app.post("session/create", { visitorId, agentId: "alice" }));
    // Both have these streams look.
    deskLive.agentsChanged("app_found", ["u_alice"]);
    deskLive.visitorSignedOut("app_found", visitorId);
    const { session } = await alices.find(({ change }) => change === "assigned");
    await visitors.find(({ change }) => change === "assigned");
    for (const hint of late) hint();
    hints.mock.restore();
    await alice.ok("POST", `apps/app_found/sessions/${session.sessionId}/close`, {});
    const changesOf = async (stream: StreamClient) => {
      await stream.find(({ change }) => change === "closed");
      return stream.frames.flatMap(({ change }) => change ?? []);
    };
    assert.deepEqual(await changesOf(alices), ["assigned", "closed"]);
    assert.deepEqual(await changesOf(visitors), ["assigned", "closed"]);
    assert.deepEqual(await changesOf(bobs), ["created", "assigned", "closed"]);
    for (const stream of [alices, bobs, visitors]) await stream.close();
  });

  test("resume sends the missed messages in order, and then continues", async () => {
    const [alice, app] = [await signIn(), client("app_resume")];
    const { visitorId, visitorToken } = await newVisitor("app_resume");
    await app.value(app.post("session/create", { visitorId, agentId: "alice" }));
    const say = (content: string) => app.value(app.post("message/send", { visitorId, content }));
    for (let n = 1; n <= 150; n++) await say(String(n));
    const [alices, visitors] = [await alice.stream(), await widget(visitorToken)];
    alices.send({ type: "resume", afterSeq: { [visitorId]: 0, v_unknown: 3 } });
    visitors.send({ type: "resume", afterSeq: 20 });
    // Live frames that arrive before the stream has resumed come again in order.
    for (const stream of [alices, visitors]) await stream.find(({ message }) => message?.seq === 150);
    await say("151");
    const error = await alices.find(({ type }) => type === "error");
    assert.deepEqual([error.visitorId, error.code], ["v_unknown", "400008"]);
    await alices.find(({ message }) => message?.seq === 151);
    await visitors.find(({ message }) => message?.seq === 151);
    assert.deepEqual(seqsOf(alices), messages(151));
    assert.deepEqual(seqsOf(visitors), messages(151).slice(20));
    visitors.send({ type: "resume", afterSeq: 9_999 });
    visitors.send({ type: "resume", afterSeq: 150 });
    await until(async () => seqsOf(visitors).length === 132, "the place from the future counts as now");
    for (const stream of [alices, visitors]) await stream.close();
  });

  test("who waits is followed by an agent who resumes them, until they wait no more", async () => {
    const [alice, bob, app] = [await signIn(), await signIn("u_bob"), client("app_waits")];
    const { visitorId } = await newVisitor("app_waits");
    const say = (content: string) => app.value(app.post("message/send", { visitorId, content }));
    const { sessionId } = await say("1");
    const alices = await alice.stream();
    alices.send({ type: "resume", afterSeq: { [visitorId]: 0 } });
    await alices.find(({ message }) => message?.seq === 1);
    await say("2");
    const { appId } = await alices.find(({ message }) => message?.seq === 2);
    assert.equal(appId, "app_waits");
    const path = `apps/app_waits/sessions/${sessionId}`;
    await bob.ok("POST", `${path}/accept`);
    await alices.find(({ change }) => change === "assigned");
    await say("3");
    await bob.ok("POST", `${path}/transfer`, { agentId: "alice" });
    await alices.find(({ change }) => change === "transferred");
    await say("4");
    await alices.find(({ message }) => message?.seq === 4);
    assert.deepEqual(seqsOf(alices), [1, 2, 4], "what is said to another agent is not told");
    await alices.close();
  });

  test("of very many who wait those are followed that were asked for last", async () => {
    const [alice, app] = [await signIn(), client("app_waits")];
    const waiting: string[] = [];
    for (let n = 0; n < 21; n++) {
      const { visitorId } = await newVisitor("app_waits");
      await app.value(app.post("message/send", { visitorId, content: "hello" }));
      waiting.push(visitorId);
    }
    const alices = await alice.stream();
    for (const visitorId of waiting) {
      alices.send({ type: "resume", afterSeq: { [visitorId]: 0 } });
      await alices.find(({ message }) => message?.visitorId === visitorId);
    }
    for (const visitorId of waiting) await app.value(app.post("message/send", { visitorId, content: "again" }));
    await alices.find(({ message }) => message?.visitorId === waiting.at(-1) && message.seq === 2);
    const again = alices.frames.filter(({ message }) => message?.seq === 2).map(({ message }) => message.visitorId);
    assert.deepEqual(new Set(again), new Set(waiting.slice(1)));
    await alices.close();
  });

  test("a slow reader gets everything in order, and needs little memory", async () => {
    const app = client("app_slow");
    const { visitorId, visitorToken } = await newVisitor("app_slow");
    const visitors = await widget(visitorToken);
    visitors.socket.pause();
    const content = "x".repeat(100_000);
    const before = memoryInUse();
    for (let n = 0; n < 300; n++) await app.value(app.post("message/send", { visitorId, content }));
    // All of it takes 30 MB; a page of it may have been read, and the system holds a few MB for the socket.
    assert.ok(memoryInUse() - before < 26e6);
    visitors.socket.resume();
    await visitors.find(({ message }) => message?.seq === 300);
    assert.deepEqual(seqsOf(visitors), messages(300));
    await visitors.close();
  });

  test("typing and read marks are sent to the other side only", async () => {
    const [alice, bob, app] = [await signIn(), await signIn("u_bob"), client("app_typing")];
    const { visitorId, visitorToken } = await newVisitor("app_typing");
    const { sessionId } = await app.value(app.post("session/create", { visitorId, agentId: "alice" }));
    const [alices, bobs, visitors] = [await alice.stream(), await bob.stream(), await widget(visitorToken)];
    alices.send({ type: "typing", sessionId });
    bobs.send({ type: "typing", sessionId });
    visitors.send({ type: "typing" });
    await visitors.find(({ type }) => type === "typing");
    assert.deepEqual(await alices.find(({ type }) => type === "typing"), {
      type: "typing",
      appId: "app_typing",
      sessionId,
      visitorId,
    });
    for (const content of ["1", "2"]) await app.value(app.post("message/send", { visitorId, content }));
    visitors.send({ type: "read", seq: 99 });
    const read = await alices.find(({ type }) => type === "read");
    assert.deepEqual(read, { type: "read", appId: "app_typing", visitorId, seq: 2 });
    await alice.ok("POST", `apps/app_typing/sessions/${sessionId}/read`, { seq: 1 });
    assert.deepEqual(await visitors.find(({ type }) => type === "read"), { type: "read", seq: 1 });
    alices.send({ type: "read", sessionId, seq: 2 });
    await visitors.find(({ type, seq }) => type === "read" && seq === 2);
    assert.deepEqual(bobs.frames, []);
    assert.equal(visitors.frames.filter(({ type }) => type === "typing").length, 1);
    for (const stream of [alices, bobs, visitors]) await stream.close();
  });

  for (const ending of [1000, "ended", "destroyed"] as const) {
    test(`what arrives in one chunk with the end of a stream (${ending}) is done, from the sign-in on, at another process too`, async () => {
      const [alice, app, far] = [await signIn(), client("app_parts"), await farUrl()];
      const { visitorId, visitorToken } = await newVisitor("app_parts");
      const { sessionId } = await app.value(app.post("session/create", { visitorId, agentId: "alice" }));
      await app.value(app.post("message/send", { visitorId, content: "1" }));
      const [alices, visitors] = [await alice.stream(), await widget(visitorToken)];
      const leave = async (path: string, accessToken: string, frames: object[]) => {
        const signedIn = await StreamClient.open(far, accessToken, path);
        sendTogether(signedIn.socket, frames.slice(0, 1), ending);
        const browser = await StreamClient.open(far, null, path);
        sendTogether(browser.socket, [{ type: "auth", accessToken }, ...frames.slice(1)], ending);
        const codes = [(await signedIn.closed).code, (await browser.closed).code];
        assert.deepEqual(codes, ending === 1000 ? [1000, 1000] : [1006, 1006]);
      };
      await leave(WIDGET_STREAM, visitorToken, [{ type: "typing" }, { type: "read", seq: 1 }]);
      for (const type of ["typing", "read"]) await alices.find((frame) => frame.type === type);
      const frames = [
        { type: "typing", sessionId },
        { type: "read", sessionId, seq: 1 },
      ];
      await leave(`${DESK}/stream`, alice.token, frames);
      for (const type of ["typing", "read"]) await visitors.find((frame) => frame.type === type);
      for (const stream of [alices, visitors]) await stream.close();
    });
  }

  test("a client of another process gets the same messages in the same order", async () => {
    const [alice, app, url] = [await signIn(), client("app_far"), await farUrl()];
    const { visitorId, visitorToken } = await newVisitor("app_far");
    const [alices, visitors] = [await alice.stream(url), await widget(visitorToken, url)];
    const { sessionId } = await app.value(app.post("session/create", { visitorId, agentId: "alice" }));
    await alices.find(({ change }) => change === "assigned");
    await Promise.all(messages(30).map((n) => app.value(app.post("message/send", { visitorId, content: String(n) }))));
    for (const stream of [alices, visitors]) {
      await stream.find(({ message }) => message?.seq === 30);
      assert.deepEqual(seqsOf(stream), messages(30));
    }
    visitors.send({ type: "typing" });
    await alices.find(({ type }) => type === "typing");
    await app.value(app.post("session/close", { sessionId }));
    for (const stream of [alices, visitors]) {
      await stream.find(({ change }) => change === "closed");
      await stream.close();
    }
  });

  test("changes are found even if the notification between processes is lost", async () => {
    const [alice, app, url] = [await signIn(), client("app_lost"), await farUrl()];
    const { visitorId, visitorToken } = await newVisitor("app_lost");
    await app.value(app.post("session/create", { visitorId, agentId: "alice" }));
    const [alices, visitors] = [await alice.stream(url), await widget(visitorToken, url)];
    const { coordination, deskLive } = world().portico.ctx;
    const { publish } = coordination;
    coordination.publish = () => {};
    await app.value(app.post("message/send", { visitorId, content: "nobody was told" }));
    coordination.publish = publish;
    for (const stream of [alices, visitors]) await stream.find(({ message }) => message?.seq === 1);
    deskLive.messageStored("app_lost", visitorId, 1_000);
    deskLive.messageStored("app_lost", visitorId, Number.NaN);
    await app.value(app.post("message/send", { visitorId, content: "after false hints" }));
    for (const stream of [alices, visitors]) {
      await stream.find(({ message }) => message?.seq === 2);
      assert.deepEqual(seqsOf(stream), [1, 2]);
      await stream.close();
    }
  });

  test("an open stream sends heartbeats; after it is closed, the agent becomes absent", async () => {
    const [alice, app] = [await signIn(), client("app_signs")];
    const { visitorId, visitorToken } = await newVisitor("app_signs");
    await alice.choose("app_signs", "ONLINE");
    const [alices, visitors] = [await alice.stream(), await widget(visitorToken)];
    const visitorOf = () => app.value(app.get("visitor/info", { visitorId }));
    const agentOf = () => app.value(app.get("agent/status", { agentId: "alice" }));
    await until(async () => (await agentOf()).online && (await visitorOf()).online, "both are seen");
    assert.equal((await visitorOf()).lastSeenAt, world().clock.now());
    world().clock.turn(30_000);
    alices.send({ type: "resume", afterSeq: {} });
    visitors.send({ type: "resume", afterSeq: 0 });
    await until(async () => (await visitorOf()).lastSeenAt === world().clock.now(), "they are seen again");
    await world().portico.ctx.presenceTracker.flush();
    world().clock.turn(30_000);
    await sweep(world().portico);
    assert.equal((await agentOf()).online, true);
    for (const stream of [alices, visitors]) await stream.close();
    world().clock.turn(15_000);
    await sweep(world().portico);
    assert.deepEqual([(await agentOf()).online, (await agentOf()).status], [false, "ONLINE"]);
    assert.equal((await visitorOf()).online, false);
    await alice.choose("app_signs", "OFFLINE");
  });

  test("a client that does not sign in, or sends an invalid frame, is disconnected", async () => {
    const alice = await signIn();
    const { visitorToken } = await newVisitor("app_end");
    for (const [path, token] of [
      [`${DESK}/stream`, visitorToken],
      [WIDGET_STREAM, alice.token],
    ] as const) {
      await assert.rejects(StreamClient.open(world().url, token, path), /401/);
      const browser = await StreamClient.open(world().url, null, path);
      browser.send({ type: "auth", accessToken: token });
      assert.deepEqual(await browser.closed, { code: 4401, reason: "not signed in" });
      assert.equal((await send(`${world().url}${path}`)).json.code, "400006");
    }
    const open = async (path: string, accessToken: string) => {
      const stream = await StreamClient.open(world().url, null, path);
      stream.send({ type: "auth", accessToken });
      await stream.find(({ type }) => type === "ready");
      return stream;
    };
    for (const frame of [
      "x",
      "null",
      { type: "resume", afterSeq: -1 },
      { type: "resume", afterSeq: { v: "1" } },
      { type: "read", seq: "1" },
      { type: "typing", sessionId: {} },
      { type: "other" },
    ]) {
      const agents = await open(`${DESK}/stream`, alice.token);
      agents.send(frame);
      assert.equal((await agents.closed).code, 1008, JSON.stringify(frame));
    }
    for (const frame of ["[]", { type: "resume", afterSeq: {} }, { type: "read" }, { type: "resume", afterSeq: 1.5 }]) {
      const visitors = await open(WIDGET_STREAM, visitorToken);
      visitors.send(frame);
      assert.equal((await visitors.closed).code, 1008, JSON.stringify(frame));
    }
    const other = StreamClient.open(world().url, visitorToken, WIDGET_STREAM, { origin: "https://elsewhere.example" });
    await assert.rejects(other, /403/);
  });
});

onBothEngines("streams whose owners change", (engine, test) => {
  const world = suiteWorld(engine, consoleAcme(customerApp("app_own", { owner: owner.phone })));
  const developer = async () => (await ConsoleClient.logIn(world())).in("t_acme");

  test("a visitor's stream ends at the next look when its site is allowed no longer; others go on", async () => {
    const app = new CustomerClient(world, "app_own");
    const { visitorId, visitorToken } = await app.value(app.post("visitor/auth", { thirdUserId: "moved" }));
    const [gone, stays] = ["https://gone.example", "https://stays.example"];
    const allow = async (allowedOrigins: string[]) =>
      await (await developer()).ok("PATCH", "apps/app_own", { allowedOrigins });
    await allow([gone, stays]);
    const [first, second] = await Promise.all(
      [gone, stays].map((origin) => StreamClient.open(world().url, visitorToken, WIDGET_STREAM, { origin })),
    );
    await allow([stays]);
    // A hint that something of the visitor's has ended makes each process look at once.
    world().portico.ctx.deskLive.visitorSignedOut("app_own", visitorId);
    assert.deepEqual(await first?.closed, { code: 1008, reason: "not allowed from here" });
    assert.equal(second?.socket.readyState, second?.socket.OPEN);
    second?.socket.close();
  });

  test("disabling a visitor closes the stream at once", async () => {
    const app = new CustomerClient(world, "app_own");
    const { visitorId, visitorToken } = await app.value(app.post("visitor/auth", { thirdUserId: "disabled" }));
    const stream = await StreamClient.open(world().url, visitorToken, WIDGET_STREAM);
    await (await developer()).ok("PATCH", `apps/app_own/visitors/${visitorId}`, { status: 0 });
    assert.deepEqual(await stream.closed, { code: 4401, reason: "signed out" });
  });

  test("a new agent's open stream gets desk events, and none after the agent is removed", async () => {
    const [carol, app] = [await DeskClient.signIn(world(), "u_carol"), new CustomerClient(world, "app_own")];
    const stream = await carol.stream();
    await sendHeartbeat(world().portico, "u_carol");
    await (await developer()).ok("POST", "apps/app_own/agents", { username: "carol" });
    await until(
      async () => (await carol.call("GET", "apps/app_own/sessions?status=QUEUED")).status === 200,
      "an agent",
    );
    // Her stream reads the list of her desks a moment later than the API.
    await until(async () => {
      for (const status of ["OFFLINE", "ONLINE"] as const) await carol.choose("app_own", status);
      return stream.frames.some(({ type, agent }) => type === "agent.changed" && agent.status === "ONLINE");
    }, "told of her own status");
    await until(async () => (await carol.ok("GET", "apps")).items[0].online, "seen at the new desk");
    const { sessionId, visitorId } = await app.newSession();
    await stream.find(({ change, session }) => change === "assigned" && session.sessionId === sessionId);
    assert.equal((await (await developer()).call("DELETE", "apps/app_own/agents/carol")).status, 204);
    await stream.find(({ change }) => change === "transferred");
    await app.value(app.post("message/send", { visitorId, content: "for others" }));
    await app.value(app.post("session/close", { sessionId }));
    const { coordination } = world().portico.ctx;
    await coordination.ping();
    assert.ok(!stream.frames.some(({ type, change }) => type === "message.created" || change === "closed"));
    await stream.close();
  });
});
