import { randomUUID } from "node:crypto";
import { MemorySignIns } from "./memory-sign-ins.ts";
import type { RedisClient } from "./redis-client.ts";
import { SIGN_IN_RULES, type SignInEntry, type SignInOutcome, type SignInPlace, type SignIns } from "./sign-ins.ts";

/**
 * KEYS: failures (a sorted set by start time), attempts in progress (a sorted set by expiry). ARGV: now, start of the
 * window, most failures, place, its expiry, TTL. Returns {entry, start of the oldest failure or number of failures}.
 */
const ENTER = `
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[1])
local failures = redis.call('ZCARD', KEYS[1])
if failures >= tonumber(ARGV[3]) then
  return {'shut', redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]}
end
if failures + redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[3]) then return {'full', '0'} end
redis.call('ZADD', KEYS[2], ARGV[5], ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[6])
return {'open', tostring(failures)}
`;

/** KEYS: as above. ARGV: place, outcome, start time, TTL. */
const LEAVE = `
redis.call('ZREM', KEYS[2], ARGV[1])
if ARGV[2] == 'succeeded' then redis.call('DEL', KEYS[1]) end
if ARGV[2] == 'failed' then
  redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
end
`;

/** The TTL only removes old keys; times are the caller's. */
const TTL_MS = 2 * SIGN_IN_RULES.windowMs;

/**
 * The failed sign-ins of all processes, in Redis. While Redis is unavailable, each process uses the attempts that it
 * has seen itself: guessing remains limited, and nobody is locked out of the console during an outage.
 */
export class RedisSignIns implements SignIns {
  readonly #redis: RedisClient;
  readonly #prefix: string;
  /**
   * The attempts that this process has seen, recorded also while Redis is available, so that an outage does not reset
   * them.
   */
  readonly #seen = new MemorySignIns();
  /** Places that only {@link #seen} knows, not Redis. */
  readonly #own = new WeakSet<SignInPlace>();

  constructor(redis: RedisClient, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
  }

  async enter(account: string, now: number): Promise<SignInEntry> {
    const { maxFailures, windowMs, attemptMs } = SIGN_IN_RULES;
    const place = { id: randomUUID(), at: now };
    try {
      const args = [now, now - windowMs, maxFailures, place.id, now + attemptMs, TTL_MS];
      const answer = await this.#redis.eval(ENTER, 2, ...this.#keys(account), ...args);
      const [entry, told] = answer as ["open" | "full" | "shut", string];
      if (entry === "shut") return { entry, until: Number(told) + windowMs };
      return entry === "full" ? { entry } : { entry, place, failures: Number(told) };
    } catch {
      const entry = this.#seen.enter(account, now);
      if (entry.entry === "open") this.#own.add(entry.place);
      return entry;
    }
  }

  async leave(account: string, place: SignInPlace, outcome: SignInOutcome): Promise<void> {
    this.#seen.leave(account, place, outcome);
    if (this.#own.has(place)) return;
    await this.#redis.eval(LEAVE, 2, ...this.#keys(account), place.id, outcome, place.at, TTL_MS).catch(() => {
      // The place expires; this process has recorded the failure.
    });
  }

  #keys(account: string): [failures: string, running: string] {
    const key = `${this.#prefix}{sign-in:${account}}`;
    return [`${key}:failures`, `${key}:running`];
  }
}
