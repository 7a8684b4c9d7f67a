import type { Logger } from "pino";
import type { RedisAddress } from "../config/redis-address.ts";
import { openRedis, type RedisClient, SILENCE_MS } from "./redis-client.ts";
import { type Carried, namesOf, unpack } from "./redis-pieces.ts";

/** The interval at which subscriptions are confirmed. */
const CONFIRM_EVERY_MS = 3_000;

/**
 * Subscriptions to channels, on a connection of their own, because a subscribed one accepts no other commands. They
 * survive its loss. They are confirmed at intervals: otherwise nothing is sent on the connection, an idle Redis sends
 * nothing either, and its loss would not be noticed; and the client of a Redis Cluster may lose some when it changes to
 * another node.
 */
export class RedisSubscriptions {
  readonly #client: RedisClient;
  readonly #prefix: string;
  readonly #log: Logger;
  readonly #listeners = new Map<string, (message: string) => void>();
  readonly #timer: NodeJS.Timeout;
  #isClosed = false;

  /** @param prefix of the channels' names in Redis. */
  constructor(address: RedisAddress, prefix: string, log: Logger, onError: (error: Error) => void) {
    this.#client = openRedis(address);
    this.#prefix = prefix;
    this.#log = log;
    this.#client.on("error", onError);
    this.#client.on("ready", () => void this.#confirm());
    this.#client.on("message", (name: string, text: string) =>
      this.#deliver({ name: name.slice(prefix.length), text }),
    );
    this.#timer = setInterval(() => void this.#confirm(), CONFIRM_EVERY_MS);
    this.#timer.unref();
  }

  add(channel: string, listener: (message: string) => void): void {
    this.#listeners.set(channel, listener);
    void this.#confirm();
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#client.disconnect();
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
    guard(() => {
      for (const { channel, message } of unpack(carried)) guard(() => this.#listeners.get(channel)?.(message));
    });
  }

  /** Subscribes to all channels, again where that has been done; replaces a connection that does not answer. */
  async #confirm(): Promise<void> {
    if (this.#isClosed || this.#client.status !== "ready" || this.#listeners.size === 0) return;
    const late = setTimeout(() => this.#client.disconnect(!this.#isClosed), SILENCE_MS);
    late.unref();
    try {
      await this.#client.subscribe(...[...this.#listeners.keys()].flatMap(namesOf).map((name) => this.#prefix + name));
    } catch {
      // The connection is lost; the next one subscribes again.
    } finally {
      clearTimeout(late);
    }
  }
}
