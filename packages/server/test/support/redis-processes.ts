import { Redis } from "ioredis";
import { pino } from "pino";
import { startRedis } from "../../../../scripts/test-services/redis.ts";
import type { Service } from "../../../../scripts/test-services/service.ts";
import { RedisCoordination } from "../../src/platform/coordination/redis.ts";

const RULES = { windowMs: 60_000, minimum: 2, failureRate: 0.5, openForMs: 60_000, probeLeaseMs: 60_000 };
const log = pino({ level: "silent" });

/** A Redis of a test's own, what its processes coordinate by, and a client that looks at it. */
export interface RedisProcesses {
  redis: Service;
  client: Redis;
  /** Another process, which hears what it follows. */
  connect(): Promise<RedisCoordination>;
}

/** Starts a Redis; everything is closed with `opened`. */
export async function startRedisProcesses(program: string, opened: AsyncDisposableStack): Promise<RedisProcesses> {
  const redis = opened.adopt(await startRedis(program), (started) => started.stop());
  const client = opened.adopt(new Redis(redis.url), (open) => open.disconnect());
  return {
    redis,
    client,
    async connect() {
      const address = { kind: "single", url: redis.url } as const;
      const process = new RedisCoordination(address, "test:", RULES, () => Date.now(), log);
      opened.adopt(process, (open) => open.close());
      const { promise: ready, resolve } = Promise.withResolvers<void>();
      process.topics.onGap(resolve);
      process.subscribe("all", () => {});
      await ready;
      return process;
    },
  };
}
