import { type ServiceSource, startControl } from "./control.ts";
import { FORGETFUL, startPostgres } from "./postgres.ts";
import { type PostgresBinaries, preparePostgresBinaries } from "./postgres-binaries.ts";
import { findRedisServer, pingRedis, startRedis } from "./redis.ts";

/** The services for the test files. */
export interface TestServices {
  /** Environment variables with the addresses of the services; a missing service has none. */
  env: Record<string, string>;
  /** One line for each service: what is used, or why there is none. */
  report: string[];
  stop(): Promise<void>;
}

const LOCAL_REDIS_URL = "redis://127.0.0.1:6379";

/**
 * Starts a PostgreSQL and a Redis server for all test files, and the channel that gives them private, durable ones (see
 * `startControl`). The files of the shared PostgreSQL are in `base`, if it is given. A service that cannot be started is
 * reported; nothing is thrown.
 */
export async function startServices(env: NodeJS.ProcessEnv, base: string | null = null): Promise<TestServices> {
  const [postgres, redis] = await Promise.all([openPostgres(base), openRedis(env)]);
  const control = await startControl({ postgres: postgres.source, redis: redis.source });
  const variables: Record<string, string> = { PORTICO_TEST_CONTROL_URL: control.url };
  if (postgres.url !== undefined) variables.PORTICO_TEST_POSTGRES_URL = postgres.url;
  if (redis.url !== undefined) variables.PORTICO_TEST_REDIS_URL = redis.url;
  return {
    env: variables,
    report: [`PostgreSQL: ${postgres.line}`, `Redis: ${redis.line}`],
    async stop() {
      await control.stop();
      await Promise.all([postgres.stop(), redis.stop()]);
    },
  };
}

interface SharedService {
  url?: string;
  line: string;
  source: ServiceSource;
  stop(): Promise<void>;
}

async function openPostgres(base: string | null): Promise<SharedService> {
  const startedAt = performance.now();
  let binaries: PostgresBinaries;
  try {
    binaries = await preparePostgresBinaries();
  } catch (error) {
    return missing(describe(error));
  }
  try {
    const service = await startPostgres(binaries, FORGETFUL, base);
    return {
      url: service.url,
      line: `started on ${hostOf(service.url)} in ${elapsed(startedAt)}`,
      source: { start: () => startPostgres(binaries) },
      async stop() {
        await service.stop();
        await binaries.remove();
      },
    };
  } catch (error) {
    await binaries.remove();
    return missing(describe(error));
  }
}

/** In this order: the server named by the developer, one on the usual port, one started from `redis-server` on PATH. */
async function openRedis(env: NodeJS.ProcessEnv): Promise<SharedService> {
  const program = await findRedisServer(env.PATH ?? "");
  const source: ServiceSource = program ? { start: () => startRedis(program) } : { missing: "no redis-server on PATH" };
  const named = env.PORTICO_TEST_REDIS_URL;
  const url = named || LOCAL_REDIS_URL;
  try {
    await pingRedis(url);
    return {
      url,
      line: `the server at ${hostOf(url)}${named ? " (PORTICO_TEST_REDIS_URL)" : ""}`,
      source,
      stop: nothing,
    };
  } catch (error) {
    if (named)
      return missing(`PORTICO_TEST_REDIS_URL is set, but ${hostOf(url)} does not answer: ${describe(error)}`, source);
  }
  if (!program) return missing(`none answers at ${hostOf(url)} and there is no redis-server on PATH`, source);
  const startedAt = performance.now();
  try {
    const service = await startRedis(program);
    const line = `started ${program} on ${hostOf(service.url)} in ${elapsed(startedAt)}`;
    return { url: service.url, line, source, stop: service.stop };
  } catch (error) {
    return missing(describe(error), source);
  }
}

function missing(reason: string, source: ServiceSource = { missing: reason }): SharedService {
  return { line: `none, its tests are skipped: ${reason}`, source, stop: nothing };
}

async function nothing(): Promise<void> {}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

function elapsed(sinceMs: number): string {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;
}
