import { Cluster, Redis, type RedisOptions } from "ioredis";
import type { RedisAddress, RedisLogin } from "../config/redis-address.ts";

/** A connection to one server, the master that Sentinels name, or all masters of a Redis Cluster. */
export type RedisClient = Redis | Cluster;

/** Shorter than PostgreSQL's idle-in-transaction timeout, because calls use Redis inside a transaction. */
const COMMAND_TIMEOUT_MS = 1_500;
/** The time without data after which a connection with pending commands is replaced. */
export const SILENCE_MS = 2_000;

const OPTIONS = {
  commandTimeout: COMMAND_TIMEOUT_MS,
  connectTimeout: COMMAND_TIMEOUT_MS,
  socketTimeout: SILENCE_MS,
  keepAlive: SILENCE_MS,
  maxRetriesPerRequest: 1,
  autoResubscribe: false,
} satisfies RedisOptions;

const retryStrategy = (attempt: number) => Math.min(attempt * 100, 2_000);

/** Connects to Redis, and again whenever the connection is lost or another server becomes the master. */
export function openRedis(address: RedisAddress): RedisClient {
  switch (address.kind) {
    case "single":
      return new Redis(address.url, { ...OPTIONS, retryStrategy });
    case "sentinel":
      return new Redis({
        ...OPTIONS,
        ...secured(address),
        sentinels: address.nodes,
        name: address.name,
        db: address.db,
        ...sentinelLogin(address.login),
        ...(address.tls && { enableTLSForSentinelMode: true, sentinelTLS: {} }),
        sentinelCommandTimeout: COMMAND_TIMEOUT_MS,
        retryStrategy,
        sentinelRetryStrategy: retryStrategy,
        // A master that has become a replica refuses writes: the next connection goes to the new master.
        reconnectOnError: (error) => (error.message.startsWith("READONLY") ? 2 : false),
      });
    case "cluster":
      return new Cluster(address.nodes, {
        redisOptions: { ...OPTIONS, ...secured(address) },
        clusterRetryStrategy: retryStrategy,
        slotsRefreshTimeout: COMMAND_TIMEOUT_MS,
      });
  }
}

/**
 * Calls `listener` when a connection to a server has been made again, or to another one in its place. A node of a Cluster
 * that is met for the first time may have taken the place of another one, so each counts, and so does one that has gone.
 */
export function onReconnect(client: RedisClient, listener: () => void): void {
  if (client instanceof Cluster) {
    client.on("+node", (node: Redis) => node.on("ready", listener));
    // One that is gone is not connected to again before something is asked of it.
    client.on("-node", listener);
    return;
  }
  let isFirst = true;
  client.on("ready", () => {
    if (!isFirst) listener();
    isFirst = false;
  });
}

function secured({ login, tls }: { login: RedisLogin; tls: boolean }): RedisOptions {
  return { ...login, ...(tls && { tls: {} }) };
}

function sentinelLogin({ username, password }: RedisLogin): RedisOptions {
  return {
    ...(username !== undefined && { sentinelUsername: username }),
    ...(password !== undefined && { sentinelPassword: password }),
  };
}
