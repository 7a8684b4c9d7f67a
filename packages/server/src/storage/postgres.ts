import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import type { Logger } from "pino";
import { ConfigError } from "../config/config-error.ts";
import { migrate } from "./migrate.ts";
import { PostgresLanes } from "./postgres-lanes.ts";
import type { Schema } from "./schema.ts";
import type { Storage } from "./storage.ts";

const POOL_SIZE = 20;
const CONNECT_TIMEOUT_MS = 5_000;

/** bigint columns hold times, counters and ids below 2^53. */
const types = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig;

/** Opens PostgreSQL at `url` and migrates it. One pool writes, pipelining its queries; another reads. */
export async function openPostgres(url: string, log: Logger): Promise<Storage> {
  const settings: pg.PoolConfig = {
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    types,
    options: "-c synchronous_commit=on -c statement_timeout=30000 -c idle_in_transaction_session_timeout=30000",
  };
  const [writers, readers] = [new pg.Pool({ ...settings, pipeline: true }), new pg.Pool(settings)];
  for (const pool of [writers, readers]) {
    // A connection that breaks is replaced by the pool; without listeners it would end the process. Only the message is
    // logged: the error carries the whole connection. Queries under way are told by their own failure.
    pool.on("error", (error) => log.warn({ reason: error.message }, "lost an idle connection to PostgreSQL"));
    pool.on("connect", (client) => client.on("error", () => {}));
  }
  const close = async () => {
    await Promise.all([writers.end(), readers.end()]);
  };
  await checkReachable(readers).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: readers }) });
  await migrate(db, "postgres");

  const lanes = new PostgresLanes(writers);
  return {
    dialect: "postgres",
    db,
    write: (unit, lane) => lanes.run(unit, { savepoint: true, lane }),
    writeSelfContained: (unit, lane) => lanes.run(unit, { savepoint: false, lane }),
    beforeEachCommit: null,
    synced: async () => {},
    // The database's disk is not this machine's.
    makeDo: () => {},
    whenFull: null,
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    close,
  };
}

async function checkReachable(pool: pg.Pool): Promise<void> {
  try {
    (await pool.connect()).release();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`PostgreSQL at PORTICO_DATABASE_URL does not answer: ${why}`);
  }
}
