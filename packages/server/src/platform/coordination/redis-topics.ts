import type { Topic, Topics } from "./coordination.ts";
import { OncePerTurn } from "./once-per-turn.ts";
import type { RedisClient } from "./redis-client.ts";
import { RedisScript } from "./redis-script.ts";
import type { RedisSubscriptions } from "./redis-subscriptions.ts";
import { topicName } from "./topic-name.ts";

/** ARGV: name and message, in turns. One command for what one turn of the event loop tells, whatever it is about. */
const TELL = `
for at = 1, #ARGV, 2 do redis.call("publish", ARGV[at], ARGV[at + 1]) end
`;
/** The most messages of one command: Lua unpacks no more than some thousands of arguments. */
const MOST_AT_ONCE = 1_000;

/** Topics as channels of Redis, each with a name of its own. */
export class RedisTopics implements Topics {
  readonly #subscriptions: RedisSubscriptions;
  readonly #script: RedisScript;
  readonly #prefix: string;
  readonly #told = new OncePerTurn<Topic & { message: string }>((all) => this.#publish(all));

  /** @param prefix of the channels' names in Redis. */
  constructor(redis: RedisClient, subscriptions: RedisSubscriptions, prefix: string) {
    this.#script = new RedisScript(redis, TELL);
    this.#subscriptions = subscriptions;
    this.#prefix = prefix;
  }

  tell(topic: Topic, message: string): void {
    this.#told.add({ ...topic, message });
  }

  hear(kind: string, listener: (key: string, message: string) => void): void {
    this.#subscriptions.hear(kind, listener);
  }

  follow(kind: string, keys: readonly string[]): Promise<void> {
    return this.#subscriptions.follow(keys.map((key) => topicName({ kind, key })));
  }

  unfollow(kind: string, keys: readonly string[]): void {
    this.#subscriptions.unfollow(keys.map((key) => topicName({ kind, key })));
  }

  onGap(listener: () => void): void {
    this.#subscriptions.onGap(listener);
  }

  #publish(all: readonly (Topic & { message: string })[]): void {
    for (let from = 0; from < all.length; from += MOST_AT_ONCE) {
      const some = all.slice(from, from + MOST_AT_ONCE);
      const args = some.flatMap(({ message, ...topic }) => [this.#prefix + topicName(topic), message]);
      this.#script.run([], args).catch(() => {
        // Those who follow also poll at intervals.
      });
    }
  }
}
