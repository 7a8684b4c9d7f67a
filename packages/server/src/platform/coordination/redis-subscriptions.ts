import { Cluster } from "ioredis";
import type { Logger } from "pino";
import type { RedisAddress } from "../config/redis-address.ts";
import { FollowedNames } from "./followed-names.ts";
import { openRedis, type RedisClient, SILENCE_MS } from "./redis-client.ts";
import { type Carried, namesOf, unpack } from "./redis-pieces.ts";
import { topicOf } from "./topic-name.ts";

/** The interval at which subscriptions are confirmed. */
const CONFIRM_EVERY_MS = 3_000;

/**
 * Subscriptions to channels, on a connection of their own, because a subscribed one accepts no other commands. They
 * survive its loss. Those to the channels of every process are confirmed at intervals: otherwise nothing is sent on the
 * connection, an idle Redis sends nothing either, and its loss would not be noticed. The client of a Redis Cluster may
 * lose some when it changes to another node, so there the others are confirmed too, in turns.
 */
export class RedisSubscriptions {
  readonly #client: RedisClient;
  readonly #prefix: string;
  readonly #log: Logger;
  readonly #listeners = new Map<string, (message: string) => void>();
  readonly #topicListeners = new Map<string, (key: string, message: string) => void>();
  readonly #followed: FollowedNames;
  readonly #gapListeners: (() => void)[] = [];
  readonly #timer: NodeJS.Timeout;
  #isClosed = false;

  /** @param prefix of the channels' names in Redis. */
  constructor(address: RedisAddress, prefix: string, log: Logger, onError: (error: Error) => void) {
    this.#client = openRedis(address);
    this.#prefix = prefix;
    this.#log = log;
    this.#followed = new FollowedNames({
      subscribe: (names) => this.#subscribe(names),
      unsubscribe: async (names) => void (await this.#client.unsubscribe(...names.map((name) => prefix + name))),
      isReady: () => this.#isReady,
    });
    this.#client.on("error", onError);
    this.#client.on("ready", () => void this.#confirm({ isNew: true }));
    this.#client.on("message", (name: string, text: string) =>
      this.#deliver({ name: name.slice(prefix.length), text }),
    );
    this.#timer = setInterval(() => void this.#confirm({ isNew: false }), CONFIRM_EVERY_MS);
    this.#timer.unref();
  }

  /** Subscribes to a channel of every process. */
  add(channel: string, listener: (message: string) => void): void {
    this.#listeners.set(channel, listener);
    void this.#confirm({ isNew: false });
  }

  /** Registers the listener of a kind of topics. */
  hear(kind: string, listener: (key: string, message: string) => void): void {
    this.#topicListeners.set(kind, listener);
  }

  /** Subscribes to the channels of topics; see {@link FollowedNames.follow}. */
  follow(names: readonly string[]): Promise<void> {
    return this.#followed.follow(names);
  }

  unfollow(names: readonly string[]): void {
    this.#followed.unfollow(names);
  }

  /** Calls `listener` when messages may have been missed and none are any longer. */
  onGap(listener: () => void): void {
    this.#gapListeners.push(listener);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#client.disconnect();
  }

  get #isReady(): boolean {
    return !this.#isClosed && this.#client.status === "ready";
  }

  async #subscribe(names: readonly string[]): Promise<void> {
    await this.#client.subscribe(...names.map((name) => this.#prefix + name));
  }

  #deliver(carried: Carried): void {
    // Another version of the service may say what this one cannot read; an uncaught error would end the process.
    const guard = (work: () => void) => {
      try {
        work();
      } catch (error) {
        this.#log.warn({ err: error, channel: carried.name }, "a message from another process cannot be read");
      }
    };
    const topic = topicOf(carried.name);
    if (topic !== null) {
      guard(() => this.#topicListeners.get(topic.kind)?.(topic.key, carried.text));
      return;
    }
    guard(() => {
      for (const { channel, message } of unpack(carried)) guard(() => this.#listeners.get(channel)?.(message));
    });
  }

  /** Subscribes to all channels, again where that has been done; replaces a connection that does not answer. */
  async #confirm({ isNew }: { isNew: boolean }): Promise<void> {
    if (!this.#isReady || this.#listeners.size === 0) return;
    const late = setTimeout(() => this.#client.disconnect(!this.#isClosed), SILENCE_MS);
    late.unref();
    try {
      await this.#subscribe([...this.#listeners.keys()].flatMap(namesOf));
    } catch {
      // The connection is lost; the next one subscribes again.
      return;
    } finally {
      clearTimeout(late);
    }
    await this.#confirmFollowed(isNew);
  }

  async #confirmFollowed(isNew: boolean): Promise<void> {
    try {
      if (isNew) await this.#followed.subscribeAll();
      const hadGap = await this.#followed.confirm({ all: this.#client instanceof Cluster });
      if (isNew || hadGap) for (const listener of this.#gapListeners) listener();
    } catch {
      // As above; or a later confirmation tries again.
    }
  }
}
