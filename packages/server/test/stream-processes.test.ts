import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Change } from "@portico/protocol";
import { findFreePort } from "../../../scripts/test-services/free-port.ts";
import { acme, alice, bob, botApp, call, credentialsOf, MESSAGES, sendText, textBody } from "./support/acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { sendSigned } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { openStreams } from "./support/open-streams.ts";
import { startProcess } from "./support/process.ts";
import { type ChangeFrame, StreamClient } from "./support/stream-client.ts";
import { suiteWorld } from "./support/world.ts";

const TEAM = "group:g_team";
const TOLD_WITHIN_MS = 100;
/** As the service has it: the time without progress after which a connection is destroyed. */
const STALLED_AFTER_MS = 10_000;

onBothEngines("the live stream across processes", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot")));
  /** The URL for the second member: another process, if there can be one. */
  const secondUrl = async () => (engine.name === "postgres" ? (await world().start()).url : world().url);

  test("a sent, updated and recalled card reaches members of both processes in order, within 100 ms of the answer", async (t) => {
    const url = await secondUrl();
    const streams = [
      await StreamClient.open(world().url, (await MemberClient.signIn(world(), alice)).token),
      await StreamClient.open(url, (await MemberClient.signIn({ url }, bob)).token),
    ];
    const answeredAt = new Map<number, number>();
    const asBot = async (method: string, target: string, body?: unknown) => {
      const answer = await call(world(), "app_bot", { method, target, body: body ? JSON.stringify(body) : undefined });
      assert.equal(answer.status, 200, answer.text);
      return { value: answer.json.value, at: performance.now() };
    };
    const card = { schema: "2.0", body: { elements: [{ tag: "text", content: "one" }] } };
    const body = { receiveIdType: "group_id", receiveId: "g_team", msgType: "card", content: { card } };
    let last = 0;
    for (let round = 0; round < 10; round++) {
      const sent = await asBot("POST", MESSAGES, body);
      answeredAt.set(sent.value.msgSeq, sent.at);
      const target = `${MESSAGES}/${sent.value.messageId}/card`;
      const updated = await asBot("PUT", target, { card, version: 1 });
      answeredAt.set(updated.value.msgSeq, updated.at);
      const recalled = await asBot("DELETE", target);
      last = updated.value.msgSeq + 1;
      answeredAt.set(last, recalled.at);
    }
    const late: number[] = [];
    for (const stream of streams) {
      await stream.find(({ msgSeq }) => msgSeq === last);
      const seqs = stream.frames.map(({ msgSeq }) => msgSeq);
      assert.deepEqual(seqs, [...answeredAt.keys()], "every change once, in order");
      for (const [index, seq] of seqs.entries()) {
        late.push((stream.cameAt[index] ?? Number.NaN) - (answeredAt.get(seq) ?? Number.NaN));
      }
      await stream.close();
    }
    late.sort((a, b) => a - b);
    const [median = Number.NaN, worst] = [late[late.length >> 1], late.at(-1)];
    t.diagnostic(`after the answer: median ${median.toFixed(1)} ms, worst ${worst?.toFixed(1)} ms`);
    assert.ok(median < TOLD_WITHIN_MS, `${median} ms`);
  });

  test("a change is found even if its notification between processes is lost", async () => {
    const url = await secondUrl();
    const stream = await StreamClient.open(url, (await MemberClient.signIn({ url }, bob)).token);
    const { coordination } = world().portico.ctx;
    const { topics } = coordination;
    const { tell } = topics;
    topics.tell = () => {};
    const answer = await sendText(world(), "app_bot", "nobody was told");
    topics.tell = tell;
    await stream.find(({ msgSeq }) => msgSeq === answer.json.value.msgSeq);
    await stream.close();
  });
});

onBothEngines("slow and dead clients of the live stream", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot")));
  const TEXT = "x".repeat(100_000);
  const COUNT = 150;

  /** Opens a stream whose client stops reading, and sends it 15 MB. */
  async function openAndOverwhelm() {
    const stream = await StreamClient.open(world().url, (await MemberClient.signIn(world(), alice)).token);
    stream.socket.pause();
    const first = await sendText(world(), "app_bot", "first");
    for (let n = 0; n < COUNT; n++) await sendText(world(), "app_bot", `${n} ${TEXT}`);
    return { stream, firstSeq: first.json.value.msgSeq as number };
  }

  test("a slow client gets everything in order at its own speed, without memory growth", async (t) => {
    const open = openStreams(t, world());
    const { stream, firstSeq } = await openAndOverwhelm();
    assert.equal(open.size, 1, "still there");
    stream.socket.resume();
    const frames: ChangeFrame[] = await stream.take(COUNT + 1);
    assert.deepEqual(
      frames.map(({ msgSeq }) => msgSeq),
      Array.from({ length: COUNT + 1 }, (_, n) => firstSeq + n),
    );
    await stream.close();
  });

  test("a client that stops reading is disconnected", async (t) => {
    hurryStalled(t);
    const open = openStreams(t, world());
    const { stream } = await openAndOverwhelm();
    const deadline = performance.now() + 30_000;
    while (open.size > 0 && performance.now() < deadline) await new Promise((done) => setTimeout(done, 50));
    assert.equal(open.size, 0);
    stream.socket.resume();
    assert.equal((await stream.closed).code, 1006);
  });
});

/** Lets stalled connections be destroyed sooner: this time is measured by their own timers, not by the clock. */
function hurryStalled(t: TestContext): void {
  const { setTimeout: arm } = Socket.prototype;
  t.mock.method(Socket.prototype, "setTimeout", function (this: Socket, ms: number, stalled?: () => void) {
    return arm.call(this, ms === STALLED_AFTER_MS ? ms / 20 : ms, stalled);
  });
}

onBothEngines("a client whose process is killed", (engine, test) => {
  test("reconnects with its last positions and misses nothing", async (t) => {
    const instance = await engine.create();
    t.after(() => instance.dispose());
    const provision = join(instance.env.PORTICO_DATA_DIR ?? "", "provision.json");
    writeFileSync(provision, JSON.stringify(acme(botApp("app_bot"))));
    const start = async () => {
      const port = String(await findFreePort());
      const server = await startProcess({ ...instance.env, PORTICO_PORT: port, PORTICO_PROVISION: provision });
      t.after(() => server.end("SIGKILL"));
      return server;
    };
    const first = await start();
    const { token } = await MemberClient.signIn(first, alice);
    const sendTo = (url: string, text: string) =>
      sendSigned(url, credentialsOf("app_bot"), {
        method: "POST",
        target: MESSAGES,
        timestamp: Date.now(),
        body: textBody(text),
      }).catch(() => null);

    const stream = await StreamClient.open(first.url, token);
    const sends = Array.from({ length: 200 }, (_, n) => sendTo(first.url, `before ${n}`));
    await stream.take(20);
    await first.end("SIGKILL");
    await Promise.all(sends);
    await stream.closed;
    const seen = stream.frames.map(({ msgSeq }) => msgSeq);

    const second = await start();
    const resumed = await StreamClient.open(second.url, token);
    resumed.send({ type: "resume", afterSeq: { [TEAM]: seen.at(-1) } });
    const answer = await sendTo(second.url, "after");
    const last = answer?.json.value.msgSeq;
    await resumed.find(({ msgSeq }) => msgSeq === last);
    const all = [...seen, ...resumed.frames.map(({ msgSeq }) => msgSeq)];
    assert.deepEqual(
      all,
      Array.from({ length: last }, (_, n) => n + 1),
    );
    const member = await MemberClient.signIn(second, alice);
    const changes: Change[] = (await member.get(`conversations/${TEAM}/changes?limit=100`)).json.value.items;
    assert.deepEqual(
      changes.slice(0, 20).map(({ message }) => message),
      stream.frames.slice(0, 20).map(({ message }) => message),
    );
  });
});
