import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import type { Logger } from "pino";
import { Unavailable } from "../errors/unavailable.ts";
import type { CircuitRules } from "./circuit.ts";
import {
  type Admission,
  type AdmissionRequest,
  type Coordination,
  DAY_MS,
  dayOf,
  MINUTE_MS,
  overrun,
  secondsToNext,
} from "./coordination.ts";
import { fromRedis } from "./from-redis.ts";
import { RedisCircuits } from "./redis-circuits.ts";
import { RedisSignIns } from "./redis-sign-ins.ts";

/** How long a lease outlives the process that took it, and how often a living process renews its leases. */
const LEASE_MS = 30_000;
const RENEW_EVERY_MS = 10_000;
/** Shorter than PostgreSQL lets a transaction wait for its client: calls ask Redis from within one. */
const COMMAND_TIMEOUT_MS = 1_500;
/** A connection on which commands wait and nothing comes for so long is given up for another. */
const SILENCE_MS = 2_000;
/** How often the connection that only listens is asked whether it is there. */
const LISTENING_EVERY_MS = 3_000;
/** How long Redis counts as unavailable after it has failed to answer. */
const SILENT_FOR_MS = 500;

/**
 * KEYS: minute counter, day counter, leases (a sorted set by the time each ends).
 * ARGV: now, minute limit, day limit, concurrency limit, lease, its end, TTL of minute, TTL of day, day usage or "", and 1
 * for a call that takes no place.
 * Answers {outcome, minute used, used of the quota that the outcome names}; the outcome "forgotten" means that the day
 * counter has been forgotten and must be told.
 */
const ADMIT = `
local day = redis.call('GET', KEYS[2])
if not day then
  if ARGV[9] == '' then return {'forgotten', 0} end
  day = ARGV[9]
  redis.call('SET', KEYS[2], day, 'PX', ARGV[8])
end
local minute = tonumber(redis.call('GET', KEYS[1]) or '0')
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', ARGV[1])
if minute >= tonumber(ARGV[2]) then return {'minute', minute, minute} end
if tonumber(day) >= tonumber(ARGV[3]) then return {'day', minute, tonumber(day)} end
local running = redis.call('ZCARD', KEYS[3])
if running >= tonumber(ARGV[4]) then return {'concurrent', minute, running} end
if ARGV[10] == '1' then return {'free', minute} end
redis.call('SET', KEYS[1], minute + 1, 'PX', ARGV[7])
redis.call('INCR', KEYS[2])
redis.call('ZADD', KEYS[3], ARGV[6], ARGV[5])
redis.call('PEXPIRE', KEYS[3], ARGV[8])
return {'admitted', minute + 1}
`;

type AdmitAnswer = [
  outcome: "admitted" | "minute" | "day" | "concurrent" | "forgotten" | "free",
  minuteUsed: number,
  used: number | undefined,
];

/** Coordination across processes. The clock is the caller's; Redis's own only collects what has ended. */
export class RedisCoordination implements Coordination {
  readonly circuits: RedisCircuits;
  readonly signIns: RedisSignIns;
  readonly #redis: Redis;
  /** A connection that has subscribed does nothing else. */
  readonly #subscriber: Redis;
  readonly #listeners = new Map<string, (message: string) => void>();
  readonly #prefix: string;
  readonly #held = new Map<string, string>();
  readonly #now: () => number;
  readonly #renewal: NodeJS.Timeout;
  readonly #listening: NodeJS.Timeout;
  #silentUntilMs = 0;

  /** @param prefix sets this deployment's keys apart from those of others on the same server. */
  constructor(url: string, prefix: string, rules: CircuitRules, now: () => number, log: Logger) {
    this.#prefix = prefix;
    this.#now = now;
    this.#redis = new Redis(url, {
      commandTimeout: COMMAND_TIMEOUT_MS,
      connectTimeout: COMMAND_TIMEOUT_MS,
      socketTimeout: SILENCE_MS,
      keepAlive: SILENCE_MS,
      maxRetriesPerRequest: 1,
      retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
    });
    this.circuits = new RedisCircuits(this.#redis, prefix, rules);
    this.signIns = new RedisSignIns(this.#redis, prefix);
    // Only the message: the error carries the command, and the command may carry the password.
    const onError = (error: Error) => log.warn({ reason: error.message }, "lost the connection to Redis");
    this.#redis.on("error", onError);
    this.#subscriber = this.#redis.duplicate({ autoResubscribe: false });
    this.#subscriber.on("error", onError);
    this.#subscriber.on("ready", () => this.#subscribeTo([...this.#listeners.keys()]));
    this.#subscriber.on("message", (channel: string, message: string) => this.#listeners.get(channel)?.(message));
    this.#renewal = setInterval(() => this.#renew(), RENEW_EVERY_MS);
    this.#renewal.unref();
    // Nothing is sent on it otherwise, and nothing comes from a Redis that is quiet, nor from one that is gone.
    this.#listening = setInterval(() => void this.#subscriber.ping().catch(() => {}), LISTENING_EVERY_MS);
    this.#listening.unref();
  }

  async admit(request: AdmissionRequest): Promise<Admission> {
    const { appId, limits, now } = request;
    const lease = randomUUID();
    let [outcome, minuteUsed, used] = await this.#run(request, lease, "");
    if (outcome === "forgotten") {
      const known = await request.loadDayUsage(dayOf(now));
      [outcome, minuteUsed, used] = await this.#run(request, lease, String(known));
    }
    const minute = {
      limit: limits.perMinute,
      remaining: Math.max(0, limits.perMinute - minuteUsed),
      resetSeconds: secondsToNext(now, MINUTE_MS),
    };
    if (outcome === "admitted") {
      this.#held.set(lease, appId);
      return { admitted: true, lease, minute };
    }
    if (outcome === "free") return { admitted: false, exceeded: null, minute };
    if (outcome === "forgotten") throw new Error("Redis forgot a counter that it was just told");
    return { admitted: false, ...overrun(outcome, used ?? 0, now), minute };
  }

  release(appId: string, lease: string): void {
    this.#held.delete(lease);
    this.#redis.zrem(this.#leasesKey(appId), lease).catch(() => {
      // The lease ends by itself.
    });
  }

  publish(channel: string, message: string): void {
    this.#redis.publish(this.#prefix + channel, message).catch(() => {
      // Whoever listens looks by itself from time to time.
    });
  }

  subscribe(channel: string, listener: (message: string) => void): void {
    this.#listeners.set(this.#prefix + channel, listener);
    if (this.#subscriber.status === "ready") this.#subscribeTo([this.#prefix + channel]);
  }

  async ping(): Promise<void> {
    await fromRedis(this.#redis.ping());
  }

  async close(): Promise<void> {
    clearInterval(this.#renewal);
    clearInterval(this.#listening);
    this.#subscriber.disconnect();
    await this.#redis.quit().catch(() => this.#redis.disconnect());
  }

  async #run(
    { appId, limits, now, takesNone }: AdmissionRequest,
    lease: string,
    dayUsage: string,
  ): Promise<AdmitAnswer> {
    const keys = [
      `${this.#prefix}{${appId}}:minute:${Math.floor(now / MINUTE_MS)}`,
      `${this.#prefix}{${appId}}:day:${dayOf(now)}`,
      this.#leasesKey(appId),
    ];
    const { perMinute, perDay, concurrent } = limits;
    const ttls = [2 * MINUTE_MS, 2 * DAY_MS];
    const args = [now, perMinute, perDay, concurrent, lease, now + LEASE_MS, ...ttls, dayUsage, takesNone ? 1 : 0];
    // Calls wait here with a database row locked: one that finds Redis silent speaks for those right behind it.
    if (performance.now() < this.#silentUntilMs) throw new Unavailable("Redis does not answer");
    try {
      return (await fromRedis(this.#redis.eval(ADMIT, keys.length, ...keys, ...args))) as AdmitAnswer;
    } catch (error) {
      this.#silentUntilMs = performance.now() + SILENT_FOR_MS;
      // It may have been taken, or be taken yet, on a connection to come: this follows it there.
      this.release(appId, lease);
      throw error;
    }
  }

  #subscribeTo(channels: string[]): void {
    if (channels.length === 0) return;
    this.#subscriber.subscribe(...channels).catch(() => {
      // The connection is gone; the next one subscribes again.
    });
  }

  #renew(): void {
    const end = this.#now() + LEASE_MS;
    for (const [lease, appId] of this.#held) {
      this.#redis.zadd(this.#leasesKey(appId), "XX", end, lease).catch(() => {
        // The next renewal comes before the lease ends.
      });
    }
  }

  #leasesKey(appId: string): string {
    return `${this.#prefix}{${appId}}:running`;
  }
}
