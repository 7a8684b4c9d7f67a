import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { startPostgres } from "../../../scripts/test-services/postgres.ts";
import { preparePostgresBinaries } from "../../../scripts/test-services/postgres-binaries.ts";
import { findRedisServer, startRedis } from "../../../scripts/test-services/redis.ts";
import { startServices } from "../../../scripts/test-services/start-services.ts";

/** The databases of the distributed service. */
export interface Databases {
  /** A database used by this run only. */
  postgresUrl: string;
  redisUrl: string;
  /** The key with which services on this database encrypt secrets, in hex. */
  masterKey: string;
  /** A description of the servers. */
  description: string[];
  /** Removes the database and stops the servers that were started. */
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL that syncs its commits, as people run it, and a Redis, for one service alone; returns the reason
 * when one of them cannot be started.
 */
export async function startDurableDatabases(): Promise<Databases | { missing: string }> {
  await using undo = new AsyncDisposableStack();
  try {
    const program = await findRedisServer(process.env.PATH ?? "");
    if (program === undefined) return { missing: "there is no redis-server on PATH" };
    const binaries = undo.adopt(await preparePostgresBinaries(), (prepared) => prepared.remove());
    const postgres = undo.adopt(await startPostgres(binaries), (started) => started.stop());
    const redis = undo.adopt(await startRedis(program), (started) => started.stop());
    const opened = undo.move();
    return {
      postgresUrl: postgres.url,
      redisUrl: redis.url,
      masterKey: randomBytes(32).toString("hex"),
      description: ["PostgreSQL with its syncs and Redis, for each service its own"],
      stop: () => opened.disposeAsync(),
    };
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Opens PostgreSQL and Redis, starting those that the environment does not name; returns the reason when one is
 * missing.
 */
export async function openDatabases(env: NodeJS.ProcessEnv): Promise<Databases | { missing: string }> {
  await using undo = new AsyncDisposableStack();
  let { PORTICO_TEST_POSTGRES_URL: postgresUrl, PORTICO_TEST_REDIS_URL: redisUrl } = env;
  let description = ["PostgreSQL and Redis: as the environment names them"];
  if (!postgresUrl || !redisUrl) {
    const services = undo.adopt(await startServices(env), (started) => started.stop());
    postgresUrl ||= services.env.PORTICO_TEST_POSTGRES_URL;
    redisUrl ||= services.env.PORTICO_TEST_REDIS_URL;
    description = services.report;
  }
  if (!postgresUrl || !redisUrl) return { missing: description.join("; ") };

  const database = await createDatabase(postgresUrl);
  undo.defer(database.drop);
  const opened = undo.move();
  const masterKey = randomBytes(32).toString("hex");
  return { postgresUrl: database.url, redisUrl, masterKey, description, stop: () => opened.disposeAsync() };
}

async function createDatabase(serverUrl: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `portico_bench_${randomBytes(6).toString("hex")}`;
  await execute(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => execute(serverUrl, `drop database ${name} with (force)`) };
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
