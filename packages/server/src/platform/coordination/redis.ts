import { Redis } from "ioredis";
import type { Logger } from "pino";
import type { CircuitRules } from "./circuit.ts";
import type { Admission, AdmissionRequest, Coordination } from "./coordination.ts";
import { fromRedis } from "./from-redis.ts";
import { OncePerTurn } from "./once-per-turn.ts";
import { RedisAdmissions } from "./redis-admissions.ts";
import { RedisCircuits } from "./redis-circuits.ts";
import { RedisSignIns } from "./redis-sign-ins.ts";

/** Shorter than PostgreSQL's idle-in-transaction timeout, because calls use Redis inside a transaction. */
const COMMAND_TIMEOUT_MS = 1_500;
/** The time without data after which a connection with pending commands is replaced. */
const SILENCE_MS = 2_000;
/** The interval of pings on the subscriber connection. */
const LISTENING_EVERY_MS = 3_000;

/** The most characters of messages in one piece. */
const MAX_PIECE = 64 * 1024;
/** Channels of pieces have this before their names. */
const PIECES = "pieces:";

/** A message to other processes. */
interface Published {
  channel: string;
  message: string;
}

/** Coordination across processes. Times are the caller's; Redis's own clock only removes expired keys. */
export class RedisCoordination implements Coordination {
  readonly circuits: RedisCircuits;
  readonly signIns: RedisSignIns;
  readonly #admissions: RedisAdmissions;
  readonly #redis: Redis;
  /** A separate connection, because a subscribed one accepts no other commands. */
  readonly #subscriber: Redis;
  readonly #listeners = new Map<string, (message: string) => void>();
  readonly #prefix: string;
  readonly #listening: NodeJS.Timeout;
  readonly #published = new OncePerTurn<Published>((messages) => this.#publishAll(messages));

  /** @param prefix separates this deployment's keys from those of others on the same server. */
  constructor(url: string, prefix: string, rules: CircuitRules, now: () => number, log: Logger) {
    this.#prefix = prefix;
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
    this.#admissions = new RedisAdmissions(this.#redis, prefix, now);
    // Only the message: the error has the command, which can contain the password.
    const onError = (error: Error) => log.warn({ reason: error.message }, "lost the connection to Redis");
    this.#redis.on("error", onError);
    this.#subscriber = this.#redis.duplicate({ autoResubscribe: false });
    this.#subscriber.on("error", onError);
    this.#subscriber.on("ready", () => this.#subscribeTo(this.#listeners.keys()));
    // Another version of the service may say what this one cannot read; an uncaught error would end the process.
    const unreadable = (error: unknown, channel: string) =>
      log.warn({ err: error, channel }, "a message from another process cannot be read");
    this.#subscriber.on("message", (name: string, text: string) => {
      for (const { channel, message } of this.#messagesIn(name, text, unreadable)) {
        try {
          this.#listeners.get(channel)?.(message);
        } catch (error) {
          unreadable(error, channel);
        }
      }
    });
    // Detects a lost connection: otherwise nothing is sent on it, and an idle Redis sends nothing either.
    this.#listening = setInterval(() => void this.#subscriber.ping().catch(() => {}), LISTENING_EVERY_MS);
    this.#listening.unref();
  }

  admit(request: AdmissionRequest): Promise<Admission> {
    return this.#admissions.admit(request);
  }

  release(appId: string, lease: string): void {
    this.#admissions.release(appId, lease);
  }

  publish(channel: string, message: string): void {
    this.#published.add({ channel, message });
  }

  subscribe(channel: string, listener: (message: string) => void): void {
    this.#listeners.set(channel, listener);
    if (this.#subscriber.status === "ready") this.#subscribeTo([channel]);
  }

  async ping(): Promise<void> {
    await fromRedis(this.#redis.ping());
  }

  async close(): Promise<void> {
    this.#admissions.close();
    clearInterval(this.#listening);
    this.#subscriber.disconnect();
    await this.#redis.quit().catch(() => this.#redis.disconnect());
  }

  /**
   * Publishes what was published in one turn; equal messages once. Several messages of a channel go in one piece, because
   * each costs the same work here, in Redis and in every process.
   */
  #publishAll(messages: readonly Published[]): void {
    const pipeline = this.#redis.pipeline();
    for (const [channel, some] of Map.groupBy(messages, ({ channel }) => channel)) {
      for (const piece of inPieces(new Set(some.map(({ message }) => message)))) {
        const [only = ""] = piece;
        if (piece.length === 1) pipeline.publish(this.#prefix + channel, only);
        else pipeline.publish(this.#prefix + PIECES + channel, JSON.stringify(piece));
      }
    }
    pipeline.exec().catch(() => {
      // Subscribers also poll at intervals.
    });
  }

  /** @param name with the prefix. */
  #messagesIn(name: string, text: string, unreadable: (error: unknown, channel: string) => void): Published[] {
    const channel = name.slice(this.#prefix.length);
    if (!channel.startsWith(PIECES)) return [{ channel, message: text }];
    try {
      const messages: unknown = JSON.parse(text);
      if (!Array.isArray(messages)) throw new TypeError("a piece is a list of messages");
      return messages.map((message) => ({ channel: channel.slice(PIECES.length), message: String(message) }));
    } catch (error) {
      unreadable(error, channel);
      return [];
    }
  }

  #subscribeTo(channels: Iterable<string>): void {
    const names = [...channels].flatMap((channel) => [this.#prefix + channel, this.#prefix + PIECES + channel]);
    if (names.length === 0) return;
    this.#subscriber.subscribe(...names).catch(() => {
      // The connection is lost; the next one subscribes again.
    });
  }
}

function inPieces(messages: Iterable<string>): string[][] {
  const pieces: string[][] = [];
  let room = 0;
  for (const message of messages) {
    if (pieces.length === 0 || message.length > room) {
      pieces.push([]);
      room = MAX_PIECE;
    }
    pieces.at(-1)?.push(message);
    room -= message.length;
  }
  return pieces;
}
