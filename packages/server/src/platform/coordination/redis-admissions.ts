import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Cluster } from "ioredis";
import { Unavailable } from "../errors/unavailable.ts";
import {
  type Admission,
  type AdmissionRequest,
  DAY_MS,
  type DayCounter,
  dayOf,
  MINUTE_MS,
  overrun,
  type RecordedCalls,
  secondsToNext,
} from "./coordination.ts";
import { fromRedis } from "./from-redis.ts";
import { OncePerTurn } from "./once-per-turn.ts";
import type { RedisClient } from "./redis-client.ts";
import { RedisScript } from "./redis-script.ts";

/** The lifetime of a lease, which living processes renew in time. */
const LEASE_MS = 30_000;
const RENEW_EVERY_MS = 10_000;
/** How long Redis counts as unavailable after a timeout. */
const SILENT_FOR_MS = 500;
/**
 * After a lost connection, how long a counter that is not there counts as lost, not as new: other processes then write
 * what they have counted into the database, which they do all the time. Shorter than an idle transaction may be.
 */
const GATHER_MS = 1_500;
/** A counter that has told of a record is asked about the next one after this, should another have been lost. */
const ASK_EVERY_MS = 10_000;
/** So many counters' names are remembered: those of an application's days. */
const MOST_REMEMBERED = 50_000;
/** The most calls that one script admits: Redis does nothing else meanwhile. */
const MAX_CALLS = 256;

/**
 * Admits calls of one application, one after another. KEYS: minute counter, day counter, leases (a sorted set by
 * expiry), name of the day counter, what ADD_LATE has raised it by. ARGV: now, minute limit, day limit, concurrency limit, expiry of the leases, TTL of
 * minute, TTL of day, day usage or "", 1 for calls that are not counted, a name for the day counter, which ends in `:`
 * and that usage, and a lease for each call. Returns the name of the day counter, and the outcomes in runs of the same:
 * {outcome, minute used by the first of them, used amount of the quota in the outcome, calls}; each further call that is
 * admitted has used one more of the minute. The outcome "forgotten" means that the day counter was lost and must be passed;
 * then it is the outcome of all.
 */
const ADMIT = `
local day = redis.call('GET', KEYS[2])
local counter = redis.call('GET', KEYS[4])
if not day or not counter then
  if ARGV[8] == '' then return {'', {'forgotten', 0, 0, #ARGV - 10}} end
  if not day then
    day = ARGV[8]
    redis.call('SET', KEYS[2], day, 'PX', ARGV[7])
  end
  counter = ARGV[10]
  redis.call('SET', KEYS[4], counter, 'PX', ARGV[7])
  redis.call('DEL', KEYS[5])
end
day = tonumber(day)
local minute = tonumber(redis.call('GET', KEYS[1]) or '0')
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', ARGV[1])
local running = redis.call('ZCARD', KEYS[3])
local admitted = 0
local runs = {counter}
local outcome = nil
local function note(name, used)
  if outcome == name then
    local run = runs[#runs]
    run[4] = run[4] + 1
  else
    runs[#runs + 1] = {name, minute, used, 1}
    outcome = name
  end
end
for i = 11, #ARGV do
  if minute >= tonumber(ARGV[2]) then note('minute', minute)
  elseif day >= tonumber(ARGV[3]) then note('day', day)
  elseif running >= tonumber(ARGV[4]) then note('concurrent', running)
  elseif ARGV[9] == '1' then note('free', 0)
  else
    minute = minute + 1
    day = day + 1
    running = running + 1
    admitted = admitted + 1
    redis.call('ZADD', KEYS[3], ARGV[5], ARGV[i])
    note('admitted', 0)
  end
end
if admitted > 0 then
  redis.call('SET', KEYS[1], string.format('%d', minute), 'PX', ARGV[6])
  redis.call('INCRBY', KEYS[2], admitted)
  redis.call('PEXPIRE', KEYS[3], ARGV[7])
end
return runs
`;

/**
 * Adds calls that the database has recorded to the day counter, if that is not the one that counted them and began
 * without them. What the database has only grows, so what the counter began with says on which side of the record. A counter
 * that has less than the database afterwards, because somebody is late with telling of a record, or was killed, gets as much:
 * what was recorded was admitted. Those who tell later add so much less.
 * KEYS: day counter, its name, by how much it was raised so. ARGV: the name of the counter that counted them, what the
 * database has with them, calls.
 * Returns 0 if there is no counter.
 */
const ADD_LATE = `
local counter = redis.call('GET', KEYS[2])
if not counter or redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local recorded = tonumber(ARGV[2])
local calls = tonumber(ARGV[3])
local raised = tonumber(redis.call('GET', KEYS[3]) or '0')
if counter ~= ARGV[1] and tonumber(string.match(counter, ':(%d+)$')) < recorded then
  local there = math.min(raised, calls)
  raised = raised - there
  redis.call('INCRBY', KEYS[1], string.format('%d', calls - there))
end
local missing = math.max(0, recorded - tonumber(redis.call('GET', KEYS[1])))
redis.call('INCRBY', KEYS[1], string.format('%d', missing))
redis.call('SET', KEYS[3], string.format('%d', raised + missing), 'PX', math.max(1, redis.call('PTTL', KEYS[1])))
return 1
`;

/** The outcomes of calls that follow one another, as the script returns them. */
type Run = [
  outcome: "admitted" | "minute" | "day" | "concurrent" | "forgotten" | "free",
  minuteUsed: number,
  used: number,
  calls: number,
];

interface Outcome {
  outcome: Run[0];
  minuteUsed: number;
  used: number;
}

/** What became of calls, and the counter that counted them. */
interface Admitted {
  counter: DayCounter;
  outcomes: Outcome[];
}

/** A call that waits for its admission. */
interface Waiting {
  request: AdmissionRequest;
  lease: string;
  resolve(admission: Admission): void;
  reject(error: unknown): void;
}

/**
 * Counts calls against the quotas of their applications in Redis. The calls of an application that ask in one turn of
 * the event loop are admitted by one script, in their order; places that are released in one turn are released by one
 * command.
 */
export class RedisAdmissions {
  readonly #redis: RedisClient;
  readonly #prefix: string;
  readonly #script: RedisScript;
  readonly #addLate: RedisScript;
  readonly #now: () => number;
  /** Places of this process, with their applications. */
  readonly #held = new Map<string, string>();
  readonly #asked = new OncePerTurn<Waiting>((calls) => this.#admitAll(calls));
  readonly #released = new OncePerTurn<{ appId: string; lease: string }>((places) => this.#releaseAll(places));
  readonly #renewal: NodeJS.Timeout;
  /** Leases and the names of counters in this process begin with this. */
  readonly #name = randomBytes(12).toString("base64url");
  #leases = 0;
  /** How often a connection was made again. While it is the same, Redis has lost nothing. */
  #reconnections = 0;
  /** The names of counters as they were last seen over the present connection, by their keys. */
  readonly #current = new Map<string, { name: string; askAtMs: number }>();
  #silentUntilMs = 0;
  /** Until then, Redis may have lost counters that the database does not have completely; by `performance.now()`. */
  #gatheredAtMs = 0;

  constructor(redis: RedisClient, prefix: string, now: () => number) {
    this.#redis = redis;
    this.#prefix = prefix;
    this.#now = now;
    this.#script = new RedisScript(redis, ADMIT);
    this.#addLate = new RedisScript(redis, ADD_LATE);
    this.#renewal = setInterval(() => this.#renew(), RENEW_EVERY_MS);
    this.#renewal.unref();
  }

  close(): void {
    clearInterval(this.#renewal);
  }

  /** Reports that a connection was lost and made again: Redis may have been restarted, without its data. */
  reconnected(): void {
    this.#reconnections++;
    this.#current.clear();
    this.#gatheredAtMs = performance.now() + GATHER_MS;
  }

  admit(request: AdmissionRequest): Promise<Admission> {
    return new Promise((resolve, reject) => {
      const lease = `${this.#name}${(this.#leases++).toString(36)}`;
      this.#asked.add({ request, lease, resolve, reject });
    });
  }

  /** See `Coordination`. */
  async recorded({ appId, day, counter, calls, recorded }: RecordedCalls): Promise<boolean> {
    // No counter of a day that is over is compared with a quota any more; it may never come back.
    if (day < dayOf(this.#now())) return true;
    // A connection that was lost while the process stood still is noticed before the database has answered.
    if (this.#redis.status !== "ready") return false;
    const [, , name = ""] = counter.split(" ");
    const key = this.#counterKey(appId, day);
    const current = this.#current.get(key);
    // A Cluster may have lost one of its nodes.
    const isCurrent = !(this.#redis instanceof Cluster) && (this.isKept(counter) || current?.name === name);
    const now = performance.now();
    if (isCurrent && current !== undefined && now < current.askAtMs) return true;
    try {
      const keys = [this.#dayKey(appId, day), key, this.#raisedKey(appId, day)];
      const isAdded = (await fromRedis(this.#addLate.run(keys, [name, recorded, calls]))) === 1;
      if (isAdded && current !== undefined) current.askAtMs = now + ASK_EVERY_MS;
      return isAdded;
    } catch {
      return false;
    }
  }

  /** See `Coordination`. */
  isKept(counter: DayCounter): boolean {
    const [process, reconnections] = counter.split(" ");
    // Others know of their own connections alone.
    if (process !== this.#name) return false;
    return Number(reconnections) === this.#reconnections && this.#redis.status === "ready";
  }

  /** See `Coordination`. */
  async stillCounts({ appId, day, counter }: { appId: string; day: number; counter: DayCounter }): Promise<boolean> {
    if (this.isKept(counter)) return true;
    const [, , name] = counter.split(" ");
    this.#checkNotSilent();
    try {
      return (await fromRedis(this.#redis.get(this.#counterKey(appId, day)))) === name;
    } catch (error) {
      this.#silentUntilMs = performance.now() + SILENT_FOR_MS;
      throw error;
    }
  }

  release(appId: string, lease: string): void {
    this.#held.delete(lease);
    this.#released.add({ appId, lease });
  }

  #admitAll(calls: readonly Waiting[]): void {
    for (const group of Map.groupBy(calls, ({ request }) => nameOf(request)).values()) {
      for (let from = 0; from < group.length; from += MAX_CALLS) {
        void this.#admitSome(group.slice(from, from + MAX_CALLS));
      }
    }
  }

  /** Admits calls of one name. Never throws. */
  async #admitSome(calls: readonly Waiting[]): Promise<void> {
    const [first] = calls;
    if (first === undefined) return;
    try {
      const { request } = first;
      let admitted = await this.#run(calls, request, "");
      const gatheringMs = this.#gatheredAtMs - performance.now();
      if (isForgotten(admitted) && gatheringMs > 0) {
        await sleep(gatheringMs);
        admitted = await this.#run(calls, request, "");
      }
      if (isForgotten(admitted)) {
        await request.gatherUsage();
        // By the transaction of one of them, which may be lost: that is no answer to those of others.
        const [known] = await Promise.allSettled([request.loadDayUsage(dayOf(request.now))]);
        if (known.status === "rejected") {
          first.reject(known.reason);
          return await this.#admitSome(calls.slice(1));
        }
        admitted = await this.#run(calls, request, String(known.value));
      }
      const { counter, outcomes } = admitted;
      for (const [index, call] of calls.entries()) this.#answer(call, outcomes[index], counter);
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
  }

  #answer({ request, lease, resolve, reject }: Waiting, answer: Outcome | undefined, counter: DayCounter): void {
    const { appId, limits, now } = request;
    const { outcome, minuteUsed, used } = answer ?? { outcome: "forgotten", minuteUsed: 0, used: 0 };
    const minute = {
      limit: limits.perMinute,
      remaining: Math.max(0, limits.perMinute - minuteUsed),
      resetSeconds: secondsToNext(now, MINUTE_MS),
    };
    if (outcome === "admitted") {
      this.#held.set(lease, appId);
      resolve({ admitted: true, lease, counter, minute });
    } else if (outcome === "free") resolve({ admitted: false, exceeded: null, minute });
    else if (outcome === "forgotten") reject(new Error("Redis forgot a counter that it was just told"));
    else resolve({ admitted: false, ...overrun(outcome, used, now), minute });
  }

  async #run(calls: readonly Waiting[], request: AdmissionRequest, dayUsage: string): Promise<Admitted> {
    const { appId, limits, now, checkOnly } = request;
    const day = dayOf(now);
    const keys = [
      `${this.#prefix}{${appId}}:minute:${Math.floor(now / MINUTE_MS)}`,
      this.#dayKey(appId, day),
      this.#leasesKey(appId),
      this.#counterKey(appId, day),
      this.#raisedKey(appId, day),
    ];
    const { perMinute, perDay, concurrent } = limits;
    const ttls = [2 * MINUTE_MS, 2 * DAY_MS];
    const leases = calls.map(({ lease }) => lease);
    const name = dayUsage === "" ? "" : `${randomBytes(9).toString("base64url")}:${dayUsage}`;
    const flag = checkOnly ? 1 : 0;
    const args = [now, perMinute, perDay, concurrent, now + LEASE_MS, ...ttls, dayUsage, flag, name, ...leases];
    this.#checkNotSilent();
    const reconnections = this.#reconnections;
    try {
      const [counter, ...runs] = (await fromRedis(this.#script.run(keys, args))) as [string, ...Run[]];
      if (reconnections === this.#reconnections) this.#noteCurrent(this.#counterKey(appId, day), counter);
      return { counter: `${this.#name} ${reconnections} ${counter}`, outcomes: runs.flatMap(outcomesOf) };
    } catch (error) {
      this.#silentUntilMs = performance.now() + SILENT_FOR_MS;
      // The places may have been taken, or be taken on a later connection: this command follows in order.
      this.#releaseAll(leases.map((lease) => ({ appId, lease })));
      throw error;
    }
  }

  /** Calls wait for Redis while holding row locks: after one timeout, those behind them fail at once. */
  #checkNotSilent(): void {
    if (performance.now() < this.#silentUntilMs) throw new Unavailable("Redis does not answer");
  }

  #noteCurrent(key: string, counter: string): void {
    if (counter === "" || this.#current.get(key)?.name === counter) return;
    if (this.#current.size >= MOST_REMEMBERED) this.#current.clear();
    this.#current.set(key, { name: counter, askAtMs: 0 });
  }

  #releaseAll(places: readonly { appId: string; lease: string }[]): void {
    for (const [appId, some] of Map.groupBy(places, ({ appId }) => appId)) {
      this.#redis.zrem(this.#leasesKey(appId), ...some.map(({ lease }) => lease)).catch(() => {
        // The leases expire.
      });
    }
  }

  #renew(): void {
    const end = this.#now() + LEASE_MS;
    for (const [lease, appId] of this.#held) {
      this.#redis.zadd(this.#leasesKey(appId), "XX", end, lease).catch(() => {
        // The next renewal comes before the lease expires.
      });
    }
  }

  #dayKey(appId: string, day: number): string {
    return `${this.#prefix}{${appId}}:day:${day}`;
  }

  #counterKey(appId: string, day: number): string {
    return `${this.#prefix}{${appId}}:counter:${day}`;
  }

  #raisedKey(appId: string, day: number): string {
    return `${this.#prefix}{${appId}}:raised:${day}`;
  }

  #leasesKey(appId: string): string {
    return `${this.#prefix}{${appId}}:running`;
  }
}

function outcomesOf([outcome, minuteUsed, used, calls]: Run): Outcome[] {
  const step = outcome === "admitted" ? 1 : 0;
  return Array.from({ length: calls }, (_, index) => ({ outcome, minuteUsed: minuteUsed + index * step, used }));
}

function isForgotten({ outcomes: [first] }: Admitted): boolean {
  return first?.outcome === "forgotten";
}

/** Calls of one name are counted against the same limits in the same minute. */
function nameOf({ appId, limits, now, checkOnly }: AdmissionRequest): string {
  const { perMinute, perDay, concurrent } = limits;
  return `${appId} ${Math.floor(now / MINUTE_MS)} ${perMinute} ${perDay} ${concurrent} ${checkOnly}`;
}
