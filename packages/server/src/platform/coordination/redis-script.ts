import { createHash } from "node:crypto";
import type { RedisClient } from "./redis-client.ts";

/** A Lua script. Redis keeps it, so that calls name it only by its hash. */
export class RedisScript {
  readonly #redis: RedisClient;
  readonly #text: string;
  readonly #hash: string;

  constructor(redis: RedisClient, text: string) {
    this.#redis = redis;
    this.#text = text;
    this.#hash = createHash("sha1").update(text).digest("hex");
  }

  /** Runs the script; sends its text when Redis has lost it. */
  async run(keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    try {
      return await this.#redis.evalsha(this.#hash, keys.length, ...keys, ...args);
    } catch (error) {
      // A script that is not there has not run.
      if (!(error instanceof Error) || !error.message.startsWith("NOSCRIPT")) throw error;
      return await this.#redis.eval(this.#text, keys.length, ...keys, ...args);
    }
  }
}
