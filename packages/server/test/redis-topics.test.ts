import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { pino } from "pino";
import { findRedisServer } from "../../../scripts/test-services/redis.ts";
import { Feeds } from "../src/platform/streams/feeds.ts";
import { startRedisProcesses } from "./support/redis-processes.ts";
import { until } from "./support/redis-topologies.ts";

const program = await findRedisServer(process.env.PATH ?? "");

describe("topics of Redis", { skip: program === undefined ? "needs redis-server" : false }, () => {
  /** A Redis and two processes that use it. */
  async function worldOf(t: TestContext) {
    const opened = new AsyncDisposableStack();
    t.after(() => opened.disposeAsync());
    const { redis, client, connect } = await startRedisProcesses(program ?? "", opened);
    return { redis, client, speaker: await connect(), listener: await connect() };
  }

  test("reach only the processes that follow them", async (t) => {
    const { client, speaker, listener } = await worldOf(t);
    const heard: string[] = [];
    listener.topics.hear("conversation", (key, message) => heard.push(`${key}: ${message}`));
    speaker.topics.hear("conversation", () => assert.fail("it follows nothing"));
    const channel = async () => client.pubsub("CHANNELS", "*conversation*");
    await listener.topics.follow("conversation", ["group:a b/c"]);
    assert.deepEqual(await channel(), ["test:conversation/group:a b/c"]);
    for (const key of ["group:a", "group:a b/c", "group:a b"]) speaker.topics.tell({ kind: "conversation", key }, "1");
    await until(async () => heard.length > 0);
    assert.deepEqual(heard, ["group:a b/c: 1"]);
    listener.topics.unfollow("conversation", ["group:a b/c"]);
    await until(async () => (await channel()).length === 0);
  });

  test("are heard again after a restart of Redis, and the gap is reported once they are", async (t) => {
    const { redis, client, speaker, listener } = await worldOf(t);
    const heard: string[] = [];
    listener.topics.hear("conversation", (key) => heard.push(key));
    await listener.topics.follow("conversation", ["before"]);
    const keysAtGap = new Promise((resolve) => listener.topics.onGap(() => resolve(client.pubsub("CHANNELS", "*/*"))));
    await redis.restart();
    await listener.topics.follow("conversation", ["during"]);
    assert.deepEqual(((await keysAtGap) as string[]).sort(), ["test:conversation/before", "test:conversation/during"]);
    await until(async () => {
      for (const key of ["before", "during"]) speaker.topics.tell({ kind: "conversation", key }, "1");
      return heard.includes("before") && heard.includes("during");
    });
  });

  test("lose no hint while they are being subscribed: a feed is read after that", async (t) => {
    const { speaker, listener } = await worldOf(t);
    const lastSeqs = new Map<string, number>();
    t.mock.timers.enable({ apis: ["setInterval"] });
    const feeds = new Feeds(
      {
        lastSeqs: async (keys) => new Map(keys.map((key) => [key, lastSeqs.get(key) ?? 0])),
        readPage: async (_key, afterSeq) => [{ seq: afterSeq + 1 }],
        allowed: async (_key, ownerIds) => new Set(ownerIds),
        // Changes come before the subscription, while it is made, and after it.
        attend: async (keys) => {
          for (let turn = 0; turn < 4; turn++) await setImmediate();
          await listener.topics.follow("conversation", keys);
        },
        ignore: (keys) => listener.topics.unfollow("conversation", keys),
      },
      pino({ level: "silent" }),
    );
    t.mock.timers.reset();
    listener.topics.hear("conversation", (key, seq) => feeds.hint(key, Number(seq)));
    const change = (key: string) => {
      lastSeqs.set(key, (lastSeqs.get(key) ?? 0) + 1);
      speaker.topics.tell({ kind: "conversation", key }, String(lastSeqs.get(key)));
    };
    for (let round = 0; round < 200; round++) {
      const key = `group:${round}`;
      const watching = feeds.watch({ ownerId: "u", receive() {}, fallBehind() {} }, [key]);
      for (let turn = 0; turn < round % 8; turn++) await setImmediate();
      change(key);
      await watching;
      // Polling is off, so nothing but the hint, or the counter read after the subscription, tells of it.
      await until(async () => feeds.cursorOf(key) === 1);
    }
    feeds.close();
  });
});
