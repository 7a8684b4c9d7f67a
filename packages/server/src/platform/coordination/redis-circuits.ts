import { randomUUID } from "node:crypto";
import type { CircuitRules, CircuitState, Circuits, HeldBack, Passage } from "./circuit.ts";
import { fromRedis } from "./from-redis.ts";
import type { RedisClient } from "./redis-client.ts";
import { RedisScript } from "./redis-script.ts";

/**
 * KEYS: circuit (a hash: state, until, probe). ARGV: now, new probe, end of its lease, TTL, end if it opened now.
 * Returns {passage, until}. `until` is limited to a full duration from now, so that setting back the clock does not
 * extend it.
 */
const ENTER = `
local state = redis.call('HGET', KEYS[1], 'state')
if not state then return {'all', 0} end
local untilMs = tonumber(redis.call('HGET', KEYS[1], 'until'))
local latest = tonumber(state == 'OPEN' and ARGV[5] or ARGV[3])
if untilMs > latest then
  untilMs = latest
  redis.call('HSET', KEYS[1], 'until', latest)
end
if tonumber(ARGV[1]) < untilMs then return {'none', untilMs} end
redis.call('HSET', KEYS[1], 'state', 'PROBING', 'until', ARGV[3], 'probe', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return {'probe', 0}
`;

/**
 * KEYS: circuit, outcomes and the failures among them (sorted sets by time). ARGV: now, probe or "", start of the window,
 * minimum, failure rate, end if it opens, TTL, a name for these outcomes, and of each outcome its success (1 or 0),
 * followed by its time; a probe has one. Returns 1 if all deliveries are allowed now.
 */
const RECORD = `
local state = redis.call('HGET', KEYS[1], 'state')
local function open()
  redis.call('HSET', KEYS[1], 'state', 'OPEN', 'until', ARGV[6])
  redis.call('HDEL', KEYS[1], 'probe')
  redis.call('PEXPIRE', KEYS[1], ARGV[7])
  redis.call('DEL', KEYS[2], KEYS[3])
end
if state then
  if state ~= 'PROBING' or redis.call('HGET', KEYS[1], 'probe') ~= ARGV[2] then return 0 end
  if string.sub(ARGV[9], 1, 1) == '1' then
    redis.call('DEL', KEYS[1])
    return 1
  end
  open()
  return 0
end
for i = 9, #ARGV do
  local at, member = string.sub(ARGV[i], 2), ARGV[8] .. i
  redis.call('ZADD', KEYS[2], at, member)
  if string.sub(ARGV[i], 1, 1) == '0' then redis.call('ZADD', KEYS[3], at, member) end
end
for _, key in ipairs({KEYS[2], KEYS[3]}) do
  redis.call('ZREMRANGEBYSCORE', key, '-inf', ARGV[3])
  redis.call('PEXPIRE', key, ARGV[7])
end
local count = redis.call('ZCARD', KEYS[2])
local failures = redis.call('ZCARD', KEYS[3])
if count >= tonumber(ARGV[4]) and failures / count >= tonumber(ARGV[5]) then
  open()
  return 0
end
return 1
`;

/** KEYS: circuit. ARGV: probe, now. */
const GIVE_BACK = `
if redis.call('HGET', KEYS[1], 'probe') ~= ARGV[1] then return end
redis.call('HSET', KEYS[1], 'state', 'OPEN', 'until', ARGV[2])
redis.call('HDEL', KEYS[1], 'probe')
`;

/** Longer than a circuit keeps its state without being used; only removes abandoned keys. */
const TTL_MS = 86_400_000;

/** The most outcomes of one script. */
const MAX_OUTCOMES = 100;
/** How long successes wait for others, to be recorded together. A failure does not wait, nor do those before it. */
const GATHER_MS = 20;

/** An outcome that waits to be recorded. */
interface CountedOutcome {
  success: boolean;
  now: number;
  resolve(passes: boolean): void;
  reject(error: unknown): void;
}

/** Outcomes of an application that wait. */
interface Waiting {
  outcomes: CountedOutcome[];
  /** Ends the wait; null while outcomes are being recorded. */
  timer: NodeJS.Timeout | null;
  /** Resolves when all of them have been recorded; null before that begins. */
  recorded: Promise<void> | null;
}

/** The circuits of all processes, in Redis. The time is the caller's. */
export class RedisCircuits implements Circuits {
  readonly #redis: RedisClient;
  readonly #prefix: string;
  readonly #rules: CircuitRules;
  readonly #enter: RedisScript;
  readonly #record: RedisScript;
  readonly #giveBack: RedisScript;
  /** By application; present while some of its outcomes wait or are being recorded. */
  readonly #waiting = new Map<string, Waiting>();

  constructor(redis: RedisClient, prefix: string, rules: CircuitRules) {
    this.#redis = redis;
    this.#prefix = prefix;
    this.#rules = rules;
    this.#enter = new RedisScript(redis, ENTER);
    this.#record = new RedisScript(redis, RECORD);
    this.#giveBack = new RedisScript(redis, GIVE_BACK);
  }

  async enter(appId: string, now: number): Promise<Passage> {
    const probe = randomUUID();
    const { probeLeaseMs, openForMs } = this.#rules;
    const args = [now, probe, now + probeLeaseMs, TTL_MS, now + openForMs];
    const answer = await fromRedis(this.#enter.run([this.#keys(appId)[0]], args));
    const [pass, until] = answer as ["all" | "none" | "probe", number];
    if (pass === "all") return { pass };
    return pass === "none" ? { pass, until } : { pass, probe };
  }

  record(appId: string, success: boolean, probe: string | null, now: number): Promise<boolean> {
    if (probe !== null) return this.#recordSome(appId, probe, [{ success, now }]);
    return new Promise((resolve, reject) => {
      const outcome = { success, now, resolve, reject };
      const waiting = this.#waiting.get(appId);
      if (waiting === undefined) {
        const timer = setTimeout(() => void this.#drain(appId), success ? GATHER_MS : 0);
        this.#waiting.set(appId, { outcomes: [outcome], timer, recorded: null });
        return;
      }
      waiting.outcomes.push(outcome);
      if (waiting.timer !== null && (!success || waiting.outcomes.length >= MAX_OUTCOMES)) void this.#drain(appId);
    });
  }

  /** Records what waits. Resolves when that, and what is being recorded, was tried. */
  async flush(): Promise<void> {
    await Promise.all([...this.#waiting.keys()].map((appId) => this.#drain(appId)));
  }

  /** Has the outcomes of an application recorded, unless they are being. Never rejects. */
  #drain(appId: string): Promise<void> {
    const waiting = this.#waiting.get(appId);
    if (waiting === undefined) return Promise.resolve();
    if (waiting.timer !== null) clearTimeout(waiting.timer);
    waiting.timer = null;
    waiting.recorded ??= this.#recordAll(appId, waiting);
    return waiting.recorded;
  }

  /** Records outcomes, those together that came while others were being recorded. */
  async #recordAll(appId: string, waiting: Waiting): Promise<void> {
    for (;;) {
      const some = waiting.outcomes.splice(0, MAX_OUTCOMES);
      if (some.length === 0) break;
      try {
        const passes = await this.#recordSome(appId, "", some);
        for (const { resolve } of some) resolve(passes);
      } catch (error) {
        for (const { reject } of some) reject(error);
      }
    }
    this.#waiting.delete(appId);
  }

  async #recordSome(
    appId: string,
    probe: string,
    outcomes: readonly Pick<CountedOutcome, "success" | "now">[],
  ): Promise<boolean> {
    const { windowMs, minimum, failureRate, openForMs } = this.#rules;
    const now = Math.max(...outcomes.map((outcome) => outcome.now));
    const rules = [now - windowMs, minimum, failureRate, now + openForMs, TTL_MS];
    const counted = outcomes.map((outcome) => `${outcome.success ? 1 : 0}${outcome.now}`);
    const args = [now, probe, ...rules, randomUUID(), ...counted];
    return (await fromRedis(this.#record.run(this.#keys(appId), args))) === 1;
  }

  async giveBack(appId: string, probe: string, now: number): Promise<void> {
    await fromRedis(this.#giveBack.run([this.#keys(appId)[0]], [probe, now]));
  }

  async stateOf(appId: string, now: number): Promise<CircuitState> {
    return stateAt(await this.#read(appId), now);
  }

  async heldBack(appIds: readonly string[], now: number): Promise<Map<string, HeldBack>> {
    const held = new Map<string, HeldBack>();
    // The commands of one turn are sent together.
    const circuits = await Promise.all(appIds.map(async (appId) => [appId, await this.#read(appId)] as const));
    for (const [appId, circuit] of circuits) {
      const state = stateAt(circuit, now);
      if (state !== "NORMAL") held.set(appId, { state, openUntil: openUntilAt(circuit, now) });
    }
    return held;
  }

  async openUntil(appId: string, now: number): Promise<number | null> {
    return openUntilAt(await this.#read(appId), now);
  }

  async #read(appId: string): Promise<StoredCircuit> {
    const [state = null, until] = await fromRedis(this.#redis.hmget(this.#keys(appId)[0], "state", "until"));
    return { state, until: Number(until) };
  }

  #keys(appId: string): [circuit: string, outcomes: string, failures: string] {
    const key = `${this.#prefix}{${appId}}:circuit`;
    return [key, `${key}:outcomes`, `${key}:failures`];
  }
}

/** A circuit as Redis has it; without a state it is NORMAL. */
interface StoredCircuit {
  state: string | null;
  until: number;
}

function stateAt({ state, until }: StoredCircuit, now: number): CircuitState {
  // The time is over: the next delivery is the probe.
  if (state === "OPEN") return now >= until ? "PROBING" : "OPEN";
  return state === "PROBING" ? "PROBING" : "NORMAL";
}

function openUntilAt({ state, until }: StoredCircuit, now: number): number | null {
  return state === null || now >= until ? null : until;
}
