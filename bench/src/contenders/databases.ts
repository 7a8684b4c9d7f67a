import { randomBytes } from "node:crypto";
import { Client } from "pg";
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
