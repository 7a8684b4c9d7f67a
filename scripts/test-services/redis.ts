import { access, constants, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { Redis } from "ioredis";
import { findFreePort } from "./free-port.ts";
import { type Service, startService } from "./service.ts";

const PING_TIMEOUT_MS = 2_000;

/** The path of `redis-server` in the directories of `searchPath` (in the format of PATH), or undefined. */
export async function findRedisServer(searchPath: string): Promise<string | undefined> {
  for (const dir of searchPath.split(delimiter)) {
    const program = join(dir, "redis-server");
    try {
      await access(program, constants.X_OK);
      return program;
    } catch {
      // Not in this directory.
    }
  }
  return undefined;
}

/**
 * Starts a Redis server without persistence on a free port of 127.0.0.1. When it fails, the error contains its last log
 * lines.
 */
export async function startRedis(program: string): Promise<Service> {
  const port = await findFreePort();
  const dir = await mkdtemp(join(tmpdir(), "portico-test-redis-"));
  const url = `redis://127.0.0.1:${port}`;
  return startService({
    name: "Redis",
    url,
    command: program,
    args: ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", dir],
    env: {},
    dir,
    stopSignal: "SIGINT",
    ping: () => pingRedis(url),
  });
}

/** Rejects unless the Redis server at `url` answers PING. */
export async function pingRedis(url: string): Promise<void> {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: PING_TIMEOUT_MS,
    commandTimeout: PING_TIMEOUT_MS,
    // The client's timer outlives a refused connection and would keep the process alive.
    disconnectTimeout: 1,
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let cause: Error | undefined;
  client.on("error", (error) => {
    cause ??= error;
  });
  try {
    await client.connect();
    await client.ping();
  } catch (error) {
    // The call's own error only says that the connection is closed.
    throw cause ?? error;
  } finally {
    client.disconnect();
  }
}
