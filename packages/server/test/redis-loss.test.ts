import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { pino } from "pino";
import { findRedisServer, startRedis } from "../../../scripts/test-services/redis.ts";
import { dayOf } from "../src/platform/coordination/coordination.ts";
import { RedisCoordination } from "../src/platform/coordination/redis.ts";

const NOW = 1_700_000_000_000;
const RULES = { windowMs: 60_000, minimum: 2, failureRate: 0.5, openForMs: 60_000, probeLeaseMs: 60_000 };
const LIMITS = { perMinute: 1_000, perDay: 10, concurrent: 100 };
const program = await findRedisServer(process.env.PATH ?? "");

describe("a Redis that has lost its data", { skip: program === undefined ? "needs redis-server" : false }, () => {
  /** A Redis, two processes that use it, and what the database has recorded. */
  async function worldOf(t: TestContext) {
    const opened = new AsyncDisposableStack();
    t.after(() => opened.disposeAsync());
    const redis = opened.adopt(await startRedis(program ?? ""), (started) => started.stop());
    const log = pino({ level: "silent" });
    const connect = () => {
      const address = { kind: "single", url: redis.url } as const;
      return opened.adopt(new RedisCoordination(address, "test:", RULES, () => NOW, log), (open) => open.close());
    };
    const [one, other] = [connect(), connect()];
    const database = { recorded: 0 };
    const request = {
      ...{ appId: "app", limits: LIMITS, now: NOW, checkOnly: false },
      gatherUsage: async () => {},
      loadDayUsage: async () => database.recorded,
    };
    await Promise.all([answers(one), answers(other)]);
    return {
      ...{ redis, one, other, database },
      /** How many of so many calls are admitted, and the counter that counted them. */
      async admit(coordination: RedisCoordination, calls: number) {
        const admissions = await Promise.all(Array.from({ length: calls }, () => coordination.admit(request)));
        const admitted = admissions.filter((admission) => admission.admitted);
        return { count: admitted.length, counter: admitted[0]?.counter ?? "" };
      },
      /** Redis is started again, without its data; both processes are connected to it. */
      async restart() {
        await redis.restart();
        await Promise.all([answers(one), answers(other)]);
      },
      record(coordination: RedisCoordination, counter: string, calls: number) {
        database.recorded += calls;
        return coordination.recorded({ appId: "app", day: dayOf(NOW), counter, calls, recorded: database.recorded });
      },
    };
  }

  test("admits no more than the quota, though the database hears of the last calls only a second later", async (t) => {
    const { one, other, database, admit, restart } = await worldOf(t);
    assert.equal((await admit(one, 7)).count, 7);
    await restart();
    setTimeout(() => {
      database.recorded = 7;
    }, 1_000);
    assert.equal((await admit(other, 7)).count, 3);
  });

  test("counts what a process recorded too late for the new counter, which had stood still meanwhile", async (t) => {
    const { one, other, admit, restart, record } = await worldOf(t);
    const late = await admit(one, 7);
    await restart();
    // Nobody knows whether a counter that is being loaded will begin with these.
    const isSettled = async () => one.recorded({ appId: "app", day: dayOf(NOW), ...late, calls: 7, recorded: 7 });
    assert.equal(await isSettled(), false);
    const early = await admit(other, 2);
    assert.equal(early.count, 2);
    assert.equal(await record(one, late.counter, 7), true);
    assert.equal((await admit(other, 7)).count, 1);
    // What the present counter has counted is not added to it.
    assert.equal(await record(other, early.counter, 2), true);
    assert.equal((await admit(other, 1)).count, 0);
  });

  test("does not count twice what the new counter began with", async (t) => {
    const { one, other, database, admit, restart } = await worldOf(t);
    const { counter } = await admit(one, 7);
    database.recorded = 7;
    await restart();
    assert.equal((await admit(other, 1)).count, 1);
    const day = dayOf(NOW);
    assert.equal(await one.recorded({ appId: "app", day, counter, calls: 7, recorded: 7 }), true);
    assert.equal((await admit(other, 7)).count, 2);
  });
  test("gets what the database has, though whoever recorded it was killed before telling of it", async (t) => {
    const { one, other, database, admit, restart, record } = await worldOf(t);
    await admit(one, 7);
    await restart();
    const early = await admit(other, 2);
    database.recorded = 7;
    assert.equal(await record(other, early.counter, 2), true);
    assert.equal((await admit(other, 7)).count, 1);
  });

  test("adds what comes late no second time, though the counter had been given as much as the database has", async (t) => {
    const { one, other, admit, restart } = await worldOf(t);
    const late = await admit(one, 7);
    await restart();
    const early = await admit(other, 2);
    const told = { appId: "app", day: dayOf(NOW), recorded: 9 };
    assert.equal(await other.recorded({ ...told, counter: early.counter, calls: 2 }), true);
    assert.equal(await one.recorded({ ...told, counter: late.counter, calls: 7 }), true);
    assert.equal((await admit(other, 7)).count, 1);
  });

  test("keeps calls whose counter is still there after a connection was lost, and no others", async (t) => {
    const { one, other, admit, restart } = await worldOf(t);
    const { counter } = await admit(one, 7);
    const call = { appId: "app", day: dayOf(NOW), counter };
    assert.deepEqual([one.isKept(counter), other.isKept(counter)], [true, false]);
    assert.equal(await other.stillCounts(call), true);
    await restart();
    assert.equal(one.isKept(counter), false);
    assert.equal(await one.stillCounts(call), false);
    await admit(other, 1);
    assert.equal(await one.stillCounts(call), false);
  });

  test("has no counter to wait for once a day is over", async (t) => {
    const { one, admit, redis } = await worldOf(t);
    const { counter } = await admit(one, 7);
    await redis.stop();
    const yesterday = dayOf(NOW - 24 * 60 * 60 * 1_000);
    assert.equal(await one.recorded({ appId: "app", day: yesterday, counter, calls: 7, recorded: 7 }), true);
  });
});

/** Resolves when the process is connected. */
async function answers(coordination: RedisCoordination): Promise<void> {
  for (;;) {
    try {
      return await coordination.ping();
    } catch {
      // Asked again.
    }
  }
}
