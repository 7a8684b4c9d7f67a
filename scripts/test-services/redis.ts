import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { findProgram } from "./find-program.ts";
import { findFreePort } from "./free-port.ts";
import { type Service, startService } from "./service.ts";

const PING_TIMEOUT_MS = 2_000;

/** The path of `redis-server` in the directories of `searchPath` (in the format of PATH), or undefined. */
export function findRedisServer(searchPath: string): Promise<string | undefined> {
  return findProgram("redis-server", searchPath);
}

/**
 * Starts a Redis server without persistence on a free port of 127.0.0.1. When it fails, the error contains its last log
 * lines.
 *
 * @param options further command-line options.
 */
export async function startRedis(program: string, options: readonly string[] = []): Promise<Service> {
  const port = await findFreePort();
  const dir = await mkdtemp(join(tmpdir(), "portico-test-redis-"));
  const own = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", dir];
  return await startRedisProcess(program, port, dir, [...own, ...options]);
}

/** Starts a Redis Sentinel that watches the server at `masterPort` of 127.0.0.1, and replaces it after half a second. */
export async function startSentinel(program: string, masterName: string, masterPort: number): Promise<Service> {
  const port = await findFreePort();
  const dir = await mkdtemp(join(tmpdir(), "portico-test-sentinel-"));
  const file = join(dir, "sentinel.conf");
  const settings = [
    `port ${port}`,
    "bind 127.0.0.1",
    `dir ${dir}`,
    `sentinel monitor ${masterName} 127.0.0.1 ${masterPort} 1`,
    `sentinel down-after-milliseconds ${masterName} 500`,
    `sentinel failover-timeout ${masterName} 5000`,
  ];
  await writeFile(file, settings.map((line) => `${line}\n`).join(""), { mode: 0o600 });
  return await startRedisProcess(program, port, dir, [file, "--sentinel"]);
}

function startRedisProcess(program: string, port: number, dir: string, args: string[]): Promise<Service> {
  const url = `redis://127.0.0.1:${port}`;
  return startService({
    name: "Redis",
    url,
    command: program,
    args,
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
