import type { Logger } from "pino";
import type { RedisAddress } from "../config/redis-address.ts";
import type { CircuitRules } from "./circuit.ts";
import type { Admission, AdmissionRequest, Coordination, DayCounter, RecordedCalls } from "./coordination.ts";
import { fromRedis } from "./from-redis.ts";
import { OncePerTurn } from "./once-per-turn.ts";
import { RedisAdmissions } from "./redis-admissions.ts";
import { RedisCircuits } from "./redis-circuits.ts";
import { onReconnect, openRedis, type RedisClient } from "./redis-client.ts";
import { type Published, pack } from "./redis-pieces.ts";
import { RedisSignIns } from "./redis-sign-ins.ts";
import { RedisSubscriptions } from "./redis-subscriptions.ts";
import { RedisTopics } from "./redis-topics.ts";

/** Coordination across processes. Times are the caller's; Redis's own clock only removes expired keys. */
export class RedisCoordination implements Coordination {
  readonly circuits: RedisCircuits;
  readonly signIns: RedisSignIns;
  readonly topics: RedisTopics;
  readonly #admissions: RedisAdmissions;
  readonly #redis: RedisClient;
  readonly #subscriptions: RedisSubscriptions;
  readonly #prefix: string;
  readonly #published = new OncePerTurn<Published>((messages) => this.#publishAll(messages));

  /** @param prefix separates this deployment's keys from those of others on the same server. */
  constructor(address: RedisAddress, prefix: string, rules: CircuitRules, now: () => number, log: Logger) {
    this.#prefix = prefix;
    this.#redis = openRedis(address);
    this.circuits = new RedisCircuits(this.#redis, prefix, rules);
    this.signIns = new RedisSignIns(this.#redis, prefix);
    this.#admissions = new RedisAdmissions(this.#redis, prefix, now);
    // Only the message: the error has the command, which can contain the password.
    const onError = (error: Error) => log.warn({ reason: error.message }, "lost the connection to Redis");
    this.#redis.on("error", onError);
    onReconnect(this.#redis, () => this.#admissions.reconnected());
    this.#subscriptions = new RedisSubscriptions(address, prefix, log, onError);
    this.topics = new RedisTopics(this.#redis, this.#subscriptions, prefix);
  }

  admit(request: AdmissionRequest): Promise<Admission> {
    return this.#admissions.admit(request);
  }

  recorded(calls: RecordedCalls): Promise<boolean> {
    return this.#admissions.recorded(calls);
  }

  isKept(counter: DayCounter): boolean {
    return this.#admissions.isKept(counter);
  }

  stillCounts(call: { appId: string; day: number; counter: DayCounter }): Promise<boolean> {
    return this.#admissions.stillCounts(call);
  }

  release(appId: string, lease: string): void {
    this.#admissions.release(appId, lease);
  }

  publish(channel: string, message: string): void {
    this.#published.add({ channel, message });
  }

  subscribe(channel: string, listener: (message: string) => void): void {
    this.#subscriptions.add(channel, listener);
  }

  async ping(): Promise<void> {
    await fromRedis(this.#redis.ping());
  }

  async close(): Promise<void> {
    this.#admissions.close();
    this.#subscriptions.close();
    await this.circuits.flush();
    await this.#redis.quit().catch(() => this.#redis.disconnect());
  }

  /** Publishes what was published in one turn. */
  #publishAll(messages: readonly Published[]): void {
    const pipeline = this.#redis.pipeline();
    for (const { name, text } of pack(messages)) pipeline.publish(this.#prefix + name, text);
    pipeline.exec().catch(() => {
      // Subscribers also poll at intervals.
    });
  }
}
