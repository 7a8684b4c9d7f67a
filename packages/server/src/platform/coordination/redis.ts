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

/** The lifetime of a lease, which living processes renew in time. */
const LEASE_MS = 30_000;
const RENEW_EVERY_MS = 10_000;
/** Shorter than PostgreSQL's idle-in-transaction timeout, because calls use Redis inside a transaction. */
const COMMAND_TIMEOUT_MS = 1_500;
/** The time without data after which a connection with pending commands is replaced. */
const SILENCE_MS = 2_000;
/** The interval of pings on the subscriber connection. */
const LISTENING_EVERY_MS = 3_000;
/** How long Redis counts as unavailable after a timeout. */
const SILENT_FOR_MS = 500;

/**
 * KEYS: minute counter, day counter, leases (a sorted set by expiry). ARGV: now, minute limit, day limit, concurrency
 * limit, lease, its expiry, TTL of minute, TTL of day, day usage or "", and 1 for a call that is not counted. Returns
 * {outcome, minute used, used amount of the quota in the outcome}. The outcome "forgotten" means that the day counter
 * was lost and must be passed.
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

/** Coordination across processes. Times are the caller's; Redis's own clock only removes expired keys. */
export class RedisCoordination implements Coordination {
  readonly circuits: RedisCircuits;
  readonly signIns: RedisSignIns;
  readonly #redis: Redis;
  /** A separate connection, because a subscribed one accepts no other commands. */
  readonly #subscriber: Redis;
  readonly #listeners = new Map<string, (message: string) => void>();
  readonly #prefix: string;
  readonly #held = new Map<string, string>();
  readonly #now: () => number;
  readonly #renewal: NodeJS.Timeout;
  readonly #listening: NodeJS.Timeout;
  #silentUntilMs = 0;

  /** @param prefix separates this deployment's keys from those of others on the same server. */
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
    // Only the message: the error has the command, which can contain the password.
    const onError = (error: Error) => log.warn({ reason: error.message }, "lost the connection to Redis");
    this.#redis.on("error", onError);
    this.#subscriber = this.#redis.duplicate({ autoResubscribe: false });
    this.#subscriber.on("error", onError);
    this.#subscriber.on("ready", () => this.#subscribeTo([...this.#listeners.keys()]));
    this.#subscriber.on("message", (channel: string, message: string) => this.#listeners.get(channel)?.(message));
    this.#renewal = setInterval(() => this.#renew(), RENEW_EVERY_MS);
    this.#renewal.unref();
    // Detects a lost connection: otherwise nothing is sent on it, and an idle Redis sends nothing either.
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
      // The lease expires.
    });
  }

  publish(channel: string, message: string): void {
    this.#redis.publish(this.#prefix + channel, message).catch(() => {
      // Subscribers also poll at intervals.
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
    // Calls wait here while holding a row lock: after one timeout, those behind it fail at once.
    if (performance.now() < this.#silentUntilMs) throw new Unavailable("Redis does not answer");
    try {
      return (await fromRedis(this.#redis.eval(ADMIT, keys.length, ...keys, ...args))) as AdmitAnswer;
    } catch (error) {
      this.#silentUntilMs = performance.now() + SILENT_FOR_MS;
      // The lease may have been taken, or be taken on a later connection: this command follows in order.
      this.release(appId, lease);
      throw error;
    }
  }

  #subscribeTo(channels: string[]): void {
    if (channels.length === 0) return;
    this.#subscriber.subscribe(...channels).catch(() => {
      // The connection is lost; the next one subscribes again.
    });
  }

  #renew(): void {
    const end = this.#now() + LEASE_MS;
    for (const [lease, appId] of this.#held) {
      this.#redis.zadd(this.#leasesKey(appId), "XX", end, lease).catch(() => {
        // The next renewal comes before the lease expires.
      });
    }
  }

  #leasesKey(appId: string): string {
    return `${this.#prefix}{${appId}}:running`;
  }
}
