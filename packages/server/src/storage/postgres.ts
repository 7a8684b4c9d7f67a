import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from "kysely";
import pg from "pg";
import type { Logger } from "pino";
import { ConfigError } from "../config/config-error.ts";
import type { Unit } from "./group-committer.ts";
import { migrate } from "./migrate.ts";
import { worthAnotherTry } from "./savepoint.ts";
import type { Schema } from "./schema.ts";
import type { Storage } from "./storage.ts";

const POOL_SIZE = 20;
const CONNECT_TIMEOUT_MS = 5_000;
const MAX_TRIES = 5;

/** bigint columns hold times, counters and ids below 2^53. */
const types = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig;

/** Opens PostgreSQL at `url` and migrates it. */
export async function openPostgres(url: string, log: Logger): Promise<Storage> {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    types,
    options: "-c synchronous_commit=on -c statement_timeout=30000 -c idle_in_transaction_session_timeout=30000",
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on("error", (error) => log.warn({ err: error }, "lost an idle connection to PostgreSQL"));
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: preparing(pool) }) });
  await checkReachable(pool);
  await migrate(db, "postgres");

  const write = <T>(unit: Unit<T>) => inTransaction(db, unit);
  return {
    dialect: "postgres",
    db,
    write,
    writeSelfContained: write,
    beforeEachCommit: null,
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    close: () => db.destroy(),
  };
}

async function checkReachable(pool: pg.Pool): Promise<void> {
  try {
    (await pool.connect()).release();
  } catch (error) {
    await pool.end();
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`PostgreSQL at PORTICO_DATABASE_URL does not answer: ${why}`);
  }
}

async function inTransaction<T>(db: Kysely<Schema>, unit: Unit<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await db.transaction().execute((tx) => unit(tx));
    } catch (error) {
      if (!worthAnotherTry(error) || tries === MAX_TRIES) throw error;
    }
  }
}

/** Distinct statements a connection keeps prepared; the queries of the program are fewer. */
const MAX_PREPARED = 512;

/** The pool as Kysely sees it, with each distinct statement planned once per connection. */
function preparing(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>();
  const nameFor = (text: string) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= MAX_PREPARED) return known;
    const name = `q${names.size}`;
    names.set(text, name);
    return name;
  };
  return {
    options: pool.options,
    connect: async () => {
      const client = await pool.connect();
      const query = (text: string, values: readonly unknown[] = []) =>
        values.length === 0 ? client.query(text) : client.query({ name: nameFor(text), text, values: [...values] });
      const preparingClient: PostgresPoolClient = Object.create(client, { query: { value: query } });
      return preparingClient;
    },
    end: () => pool.end(),
  };
}
