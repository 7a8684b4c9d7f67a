import assert from "node:assert/strict";
import {
  LiveStream,
  type LiveStreamOptions,
  MEMBER_STREAM,
  type MemberFrame,
  type StreamEnd,
  type StreamSocket,
  type StreamState,
} from "@portico/protocol/client";
import { acme, alice, botApp, sendText } from "./support/acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { FaultProxy } from "./support/fault-proxy.ts";
import { MemberClient } from "./support/member.ts";
import { suiteWorld } from "./support/world.ts";

const TEAM = "group:g_team";

/** A member's stream with a controlled clock, whose connections can be broken. */
class StreamUnderTest {
  readonly seqs: number[] = [];
  breaks = 0;
  readonly unreachable: string[] = [];
  readonly stream: LiveStream<MemberFrame>;
  end: StreamEnd | null = null;
  #timer: { delayMs: number; run: () => void } | null = null;
  #socket: StreamSocket | null = null;
  #now = 0;
  #changed = () => {};

  constructor(baseUrl: string, token: string, other: Partial<LiveStreamOptions<MemberFrame>> = {}) {
    this.stream = new LiveStream<MemberFrame>({
      baseUrl,
      token,
      kind: MEMBER_STREAM,
      random: () => 0,
      now: () => this.#now,
      connect: (url) => {
        const socket = new WebSocket(url);
        socket.addEventListener("message", () => this.#changed());
        this.#socket = socket as StreamSocket;
        return this.#socket;
      },
      after: (delayMs, run) => {
        const timer = { delayMs, run };
        this.#timer = timer;
        return () => {
          if (this.#timer === timer) this.#timer = null;
        };
      },
      onFrame: (frame) => {
        if (frame.type !== "conversation.read") this.seqs.push(frame.msgSeq);
        this.#changed();
      },
      onState: (state) => {
        if (state === "waiting") this.breaks++;
        this.#changed();
      },
      onUnreachable: (keys) => {
        this.unreachable.push(...keys);
        this.#changed();
      },
      onEnd: (end) => {
        this.end = end;
        this.#changed();
      },
      ...other,
    });
  }

  /** The time until the stream's next timer. */
  get wait(): number | undefined {
    return this.#timer?.delayMs;
  }

  /** Advances time to the stream's next timer; returns how long that takes. */
  pass(): number {
    const timer = this.#timer;
    assert.ok(timer !== null, "the stream waits for nothing");
    this.#timer = null;
    this.#now += timer.delayMs;
    timer.run();
    return timer.delayMs;
  }

  break(): void {
    this.#socket?.close();
  }

  async until(isSo: () => boolean, what: string): Promise<void> {
    const deadline = AbortSignal.timeout(10_000);
    while (!isSo()) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      this.#changed = resolve;
      deadline.onabort = () => reject(new Error(`${what} did not come to pass: ${this.stream.state}, ${this.seqs}`));
      await promise;
    }
  }

  is(state: StreamState): Promise<void> {
    return this.until(() => this.stream.state === state, state);
  }

  has(seq: number): Promise<void> {
    return this.until(() => this.seqs.at(-1) === seq, `message ${seq}`);
  }
}

onBothEngines("the client of a live stream", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot")));
  const token = async () => (await MemberClient.signIn(world(), alice)).token;
  const say = async (): Promise<number> => (await sendText(world(), "app_bot", "hello")).json.value.msgSeq;
  /** The numbers after `from`, up to and including `to`. */
  const after = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + 1 + index);

  test("continues after a broken connection with the missed messages, in order and each once", async () => {
    const start = await say();
    const client = new StreamUnderTest(world().url, await token(), { places: [[TEAM, start]] });
    await client.is("live");
    let last = await say();
    await client.has(last);
    for (let round = 0; round < 5; round++) {
      client.break();
      await client.is("waiting");
      for (let count = 0; count < 3; count++) last = await say();
      client.pass();
      // Some arrive while it connects and resumes.
      last = await say();
      await client.has(last);
    }
    assert.deepEqual(client.seqs, after(start, last));
    assert.deepEqual([...client.stream.places], [[TEAM, last]]);
    client.stream.close();
    assert.equal(client.end, "closed");
  });

  test("delivers earlier changes after a place given at the start, and after one given later", async () => {
    const start = await say();
    const last = [await say(), await say()].at(-1) ?? 0;
    const client = new StreamUnderTest(world().url, await token(), { places: [[TEAM, start]] });
    await client.has(last);
    assert.deepEqual(client.seqs, after(start, last));
    client.stream.follow(TEAM, start);
    await client.until(() => client.seqs.length === 2 * (last - start), "the same again");
    assert.deepEqual(client.seqs.slice(last - start), after(start, last));
    client.stream.close();
  });

  test("notices a silent connection and continues over another", async () => {
    const proxy = await FaultProxy.before(world().url);
    try {
      const start = await say();
      const client = new StreamUnderTest(proxy.url, await token(), { places: [[TEAM, start]] });
      await client.is("live");
      const first = await say();
      await client.has(first);
      proxy.silence();
      const last = await say();
      assert.equal(client.pass(), 30_000, "silence, after which it asks");
      assert.equal(client.stream.state, "live");
      assert.equal(client.pass(), 10_000, "nothing was answered");
      assert.equal(client.stream.state, "waiting");
      client.pass();
      await client.has(last);
      assert.deepEqual(client.seqs, after(start, last));
      client.stream.close();
    } finally {
      proxy.close();
    }
  });

  test("keeps a connection that is only idle, and delivers nothing twice", async () => {
    const start = await say();
    const client = new StreamUnderTest(world().url, await token(), { places: [[TEAM, start]] });
    await client.is("live");
    const first = await say();
    await client.has(first);
    for (let round = 0; round < 3; round++) {
      client.pass();
      await client.until(() => client.wait === 30_000, "an answer");
    }
    const last = await say();
    await client.has(last);
    assert.deepEqual([client.seqs, client.breaks], [after(start, last), 0]);
    client.stream.close();
  });

  test("waits longer after each failed connection", async () => {
    const client = new StreamUnderTest("http://127.0.0.1:1", "any");
    const waits: number[] = [];
    for (let round = 0; round < 8; round++) {
      await client.is("waiting");
      waits.push(client.pass());
    }
    assert.deepEqual(waits, [250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000]);
    client.stream.close();
  });

  test("ends when the token is invalid, and requests a token for each connection", async () => {
    const client = new StreamUnderTest(world().url, "nobody's");
    await client.is("ended");
    assert.equal(client.end, "signed-out");
    const tokens = [await token(), "nobody's"];
    const renewed = new StreamUnderTest(world().url, "", { token: async () => tokens.shift() ?? "" });
    await renewed.is("live");
    renewed.break();
    await renewed.is("waiting");
    renewed.pass();
    await renewed.is("ended");
    assert.equal(renewed.end, "signed-out");
  });

  test("stops resuming a conversation that is not the member's, and reports it", async () => {
    const places: [string, number][] = [["group:g_other", 3]];
    const client = new StreamUnderTest(world().url, await token(), { places });
    await client.until(() => client.unreachable.length > 0, "an error");
    assert.deepEqual([client.unreachable, [...client.stream.places]], [["group:g_other"], []]);
    client.stream.close();
  });
});
