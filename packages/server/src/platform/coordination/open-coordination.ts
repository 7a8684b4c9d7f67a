import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { Clock } from "../clock/clock.ts";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/config-error.ts";
import type { Storage } from "../storage/storage.ts";
import type { CircuitRules } from "./circuit.ts";
import type { Coordination } from "./coordination.ts";
import { MemoryCoordination } from "./memory.ts";
import { RedisCoordination } from "./redis.ts";

/**
 * Opens the configured coordination.
 *
 * @throws ConfigError when Redis does not answer.
 */
export async function openCoordination(
  config: Config,
  storage: Storage,
  clock: Clock,
  log: Logger,
): Promise<Coordination> {
  const rules = circuitRules(config);
  if (config.distributed === null) return new MemoryCoordination(rules);
  const prefix = `portico:${await deploymentId(storage)}:`;
  const coordination = new RedisCoordination(config.distributed.redis, prefix, rules, () => clock.now(), log);
  try {
    await coordination.ping();
  } catch (error) {
    await coordination.close();
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`Redis at PORTICO_REDIS_URL does not answer: ${why}`);
  }
  return coordination;
}

/** The lease of a probe is longer than any attempt. */
function circuitRules({ webhook }: Config): CircuitRules {
  return { ...webhook.circuit, probeLeaseMs: webhook.connectTimeoutMs + webhook.readTimeoutMs + 30_000 };
}

/** Identifies this deployment, so that several can share one Redis. */
async function deploymentId(storage: Storage): Promise<string> {
  const row = await storage.write(async (tx) => {
    await tx
      .insertInto("meta")
      .values({ name: "deployment-id", value: randomUUID() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return tx.selectFrom("meta").select("value").where("name", "=", "deployment-id").executeTakeFirstOrThrow();
  });
  return row.value;
}
