import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { pino } from "pino";
import { findRedisServer, startRedis } from "../../../scripts/test-services/redis.ts";
import { RedisCoordination } from "../src/platform/coordination/redis.ts";

const NOW = 1_700_000_000_000;
const RULES = { windowMs: 60_000, minimum: 2, failureRate: 0.5, openForMs: 60_000, probeLeaseMs: 60_000 };
const LIMITS = { perMinute: 1_000, perDay: 10, concurrent: 100 };
const program = await findRedisServer(process.env.PATH ?? "");

describe("a Redis that has lost its data", { skip: program === undefined ? "needs redis-server" : false }, () => {
  test("admits no more than the quota, though the database hears of the last calls only a second later", async (t) => {
    const opened = new AsyncDisposableStack();
    t.after(() => opened.disposeAsync());
    const redis = opened.adopt(await startRedis(program ?? ""), (started) => started.stop());
    const log = pino({ level: "silent" });
    const connect = () => {
      const address = { kind: "single", url: redis.url } as const;
      return opened.adopt(new RedisCoordination(address, "test:", RULES, () => NOW, log), (open) => open.close());
    };
    const [one, other] = [connect(), connect()];
    let recorded = 0;
    const request = { appId: "app", limits: LIMITS, now: NOW, checkOnly: false, loadDayUsage: async () => recorded };
    const admittedOf = async (coordination: RedisCoordination, calls: number) => {
      const admissions = await Promise.all(Array.from({ length: calls }, () => coordination.admit(request)));
      return admissions.filter(({ admitted }) => admitted).length;
    };
    await other.ping();
    assert.equal(await admittedOf(one, 7), 7);
    await redis.restart();
    setTimeout(() => {
      recorded = 7;
    }, 1_000);
    while (
      !(await other.ping().then(
        () => true,
        () => false,
      ))
    );
    assert.equal(await admittedOf(other, 7), 3);
  });
});
