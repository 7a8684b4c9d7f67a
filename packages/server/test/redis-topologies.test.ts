import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { pino } from "pino";
import { findRedisServer, startRedis } from "../../../scripts/test-services/redis.ts";
import { parseRedisAddress } from "../src/platform/config/redis-address.ts";
import { RedisCoordination } from "../src/platform/coordination/redis.ts";
import { startCluster, startWatched, until } from "./support/redis-topologies.ts";

const NOW = 1_700_000_000_000;
const RULES = { windowMs: 60_000, minimum: 2, failureRate: 0.5, openForMs: 60_000, probeLeaseMs: 60_000 };
const program = await findRedisServer(process.env.PATH ?? "");

describe("Redis", { skip: program === undefined ? "needs redis-server" : false }, () => {
  const redisServer = program ?? "";

  test("as a Cluster counts exactly, for applications on each of its nodes", async (t) => {
    const opened = stackOf(t);
    const address = await startCluster(redisServer, opened);
    const processes = [connect(address, opened), connect(address, opened)];
    for (const appId of Array.from({ length: 20 }, (_, n) => `app_${n}`)) await assertExact(processes, appId);
    await assertHeard(processes, "news");
  });

  test("admits calls that come together also when one of them cannot read what was used today", async (t) => {
    const opened = stackOf(t);
    const redis = opened.adopt(await startRedis(redisServer), (server) => server.stop());
    const process = connect(redis.url, opened);
    const limits = { perMinute: 10, perDay: 1_000, concurrent: 100 };
    const request = { appId: "app", limits, now: NOW, checkOnly: false, gatherUsage: async () => {} };
    const lost = { ...request, loadDayUsage: async () => Promise.reject(new Error("its transaction is lost")) };
    const loads = { ...request, loadDayUsage: async () => 998 };
    const outcomes = await Promise.allSettled([lost, loads, lost, loads, loads].map((each) => process.admit(each)));
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value.admitted : "failed")),
      ["failed", true, true, false, false],
    );
  });

  test("behind a Sentinel goes on with the replica when the master has died", async (t) => {
    const opened = stackOf(t);
    const { address, master } = await startWatched(redisServer, opened);
    const processes = [connect(address, opened), connect(address, opened)];
    await assertExact(processes, "app_before");
    await assertHeard(processes, "before");
    await master.stop();
    for (const { circuits } of processes) await until(async () => (await circuits.enter("app", NOW)).pass === "all");
    await assertExact(processes, "app_after");
    await assertHeard(processes, "after");
  });
});

function stackOf(t: TestContext): AsyncDisposableStack {
  const opened = new AsyncDisposableStack();
  t.after(() => opened.disposeAsync());
  return opened;
}

function connect(text: string, opened: AsyncDisposableStack): RedisCoordination {
  const address = parseRedisAddress(text);
  assert.ok(address);
  const log = pino({ level: "silent" });
  return opened.adopt(new RedisCoordination(address, "test:", RULES, () => NOW, log), (open) => open.close());
}

/** Quota, circuit and failed sign-ins of `appId` are those of all processes together. */
async function assertExact(processes: readonly RedisCoordination[], appId: string): Promise<void> {
  const limits = { perMinute: 10, perDay: 1_000, concurrent: 100 };
  const request = {
    appId,
    limits,
    now: NOW,
    checkOnly: false,
    gatherUsage: async () => {},
    loadDayUsage: async () => 0,
  };
  const admissions = processes.flatMap((process) => Array.from({ length: 8 }, () => process.admit(request)));
  const admitted = (await Promise.all(admissions)).filter((admission) => admission.admitted);
  assert.equal(admitted.length, limits.perMinute, appId);

  for (const { circuits } of processes) await circuits.record(appId, false, null, NOW);
  for (const { circuits } of processes) assert.equal(await circuits.stateOf(appId, NOW), "OPEN", appId);

  const entries = await Promise.all(processes.map(({ signIns }) => signIns.enter(appId, NOW)));
  for (const [index, entry] of entries.entries()) {
    assert.equal(entry.entry, "open");
    if (entry.entry === "open") await processes[index]?.signIns.leave(appId, entry.place, "failed");
  }
  const next = await processes[0]?.signIns.enter(appId, NOW);
  assert.equal(next?.entry === "open" && next.failures, processes.length, appId);
}

/** What one process publishes, or tells of a topic that the other follows, the other hears. */
async function assertHeard([speaker, listener]: readonly RedisCoordination[], channel: string): Promise<void> {
  const heard: string[] = [];
  listener?.subscribe(channel, (message) => heard.push(message));
  await until(async () => {
    speaker?.publish(channel, "hello");
    return heard.includes("hello");
  });
  const keys = Array.from({ length: 20 }, (_, n) => `${channel} ${n}`);
  const heardOf = new Set<string>();
  listener?.topics.hear("conversation", (key) => heardOf.add(key));
  await listener?.topics.follow("conversation", keys);
  await until(async () => {
    for (const key of [...keys, "not followed"]) speaker?.topics.tell({ kind: "conversation", key }, "1");
    return heardOf.size >= keys.length;
  });
  assert.deepEqual([...heardOf].sort(), keys.sort());
}
