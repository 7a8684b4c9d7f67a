import { Kysely, type LogEvent, sql } from "kysely";
import { ConfigError } from "../../config/config-error.ts";
import { connectDirectly } from "../connection.ts";
import { migrate, newerMigrations } from "../migrate.ts";
import { worthAnotherTry } from "../savepoint.ts";
import type { Schema } from "../schema.ts";
import type { Storage, Writes } from "../storage.ts";
import type { StorageParts } from "../storage-parts.ts";
import { JointReads } from "./joint-reads.ts";
import { PooledReads } from "./pooled-reads.ts";
import { parsePostgresAddress } from "./postgres-address.ts";
import { PostgresBatcher } from "./postgres-batcher.ts";
import { CALL_DEADLINES, type PostgresDeadlines, UNHURRIED_DEADLINES } from "./postgres-deadlines.ts";
import { pooledDialect } from "./postgres-dialect.ts";
import { PostgresLanes } from "./postgres-lanes.ts";
import { PostgresPool } from "./postgres-pool.ts";
import { Primary } from "./primary.ts";
import { Trust } from "./trust.ts";

const POOL_SIZE = 20;
/** How often a statement is tried that PostgreSQL gives up for the sake of another. */
const MAX_TRIES = 5;
/**
 * Rows are found by their keys, whatever their number, and without regard to statistics: a plan that was made for a
 * table that was nearly empty would otherwise read the whole table after it has grown. Nor are they gathered in a bitmap,
 * which has no order: for the newest messages of a conversation all of them would be read and sorted.
 */
const BY_KEYS = {
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  jit: "off",
};
/** The statements of writers are planned once. */
const WRITE_SETTINGS = { ...BY_KEYS, plan_cache_mode: "force_generic_plan" };
/** For statements that units wait for; each is short, and asked for by one at a time. */
const BESIDE_POOL_SIZE = 1;
/** The connections for work without a waiting caller: few, and separate from those of calls. */
const UNHURRIED_POOL_SIZE = 3;
/**
 * Long reads run one after another, as in an embedded service, with pauses between those of concurrent callers, so that
 * the server's cores remain free for short ones.
 */
const LIST_POOL_SIZE = 1;
/** Limits a read to one core of the server: no parallel workers and no JIT compilation. */
const LIST_SETTINGS = { max_parallel_workers_per_gather: "0", jit: "off" };

/**
 * Opens PostgreSQL at `url` (see {@link parsePostgresAddress}) and migrates it. There is one pool for writes, one for reads, a small one for slow
 * work, and one connection for what writes wait for.
 *
 * @throws ConfigError when it does not answer, or a newer version has migrated it.
 */
export async function openPostgres(
  url: string,
  { log, observeSql, timings }: StorageParts,
  deadlines: PostgresDeadlines = CALL_DEADLINES,
): Promise<Storage> {
  const primary = new Primary(parsePostgresAddress(url), log);
  const trust = new Trust();
  const writers = new PostgresPool(primary, POOL_SIZE, deadlines, trust, log, WRITE_SETTINGS);
  const readers = new PostgresPool(primary, POOL_SIZE, deadlines, trust, log, BY_KEYS);
  const beside = new PostgresPool(primary, BESIDE_POOL_SIZE, deadlines, trust, log, WRITE_SETTINGS);
  const listReaders = new PostgresPool(primary, LIST_POOL_SIZE, deadlines, trust, log, LIST_SETTINGS);
  // Sweeps too: of a few hundred rows that they name, a plan by statistics would read the whole table of a hundred thousand.
  const unhurried = new PostgresPool(primary, UNHURRIED_POOL_SIZE, UNHURRIED_DEADLINES, trust, log, BY_KEYS);
  // Migrations may have to read whole tables.
  const migrators = new PostgresPool(primary, UNHURRIED_POOL_SIZE, UNHURRIED_DEADLINES, trust, log);
  const close = async () => {
    await Promise.all([writers, readers, beside, listReaders, unhurried].map((pool) => pool.end()));
  };
  try {
    await checkReachable(unhurried);
    await migrate(new Kysely<Schema>({ dialect: pooledDialect(migrators) }), "postgres");
    await migrators.end();
  } catch (error) {
    await Promise.all([migrators.end(), close()]);
    throw error;
  }

  const observed = { log: ({ query }: LogEvent) => observeSql?.(query.sql) };
  const db = new Kysely<Schema>({ dialect: pooledDialect(readers), ...observed });
  connectDirectly(db, new PooledReads(readers, observeSql));
  const reads = new JointReads(db);
  const lanes = new PostgresLanes(writers, observeSql, timings);
  const batcher = new PostgresBatcher(writers, lanes, observeSql, timings);
  const inOneStatement = (pool: PostgresPool, poolLanes: PostgresLanes): Storage["writeStatement"] => {
    const statements = new Kysely<Schema>({ dialect: pooledDialect(pool), ...observed });
    connectDirectly(statements, new PooledReads(pool, observeSql));
    return async (unit) => {
      // Behind a pooler the settings of a transaction are sent when it begins.
      if (primary.isPooled) return await poolLanes.run(unit, { savepoint: false });
      for (let tries = 1; ; tries++) {
        const startedAt = performance.now();
        try {
          const result = await unit(statements);
          timings?.committed(performance.now() - startedAt, 1);
          return result;
        } catch (error) {
          if (!worthAnotherTry(error) || tries === MAX_TRIES) throw error;
        }
      }
    };
  };
  return {
    dialect: "postgres",
    db,
    lists: new Kysely<Schema>({ dialect: pooledDialect(listReaders, { rests: true }), ...observed }),
    ask: (query, params) => reads.ask(query, params),
    ...writesOf(lanes),
    writeInStep: (unit, options) => batcher.run(unit, options),
    writeStatement: inOneStatement(writers, lanes),
    writeBeside: inOneStatement(beside, new PostgresLanes(beside, observeSql, timings)),
    unhurried: writesOf(new PostgresLanes(unhurried, observeSql)),
    beforeEachCommit: null,
    synced: async () => {},
    // The database's disk is not on this machine.
    makeDo: () => {},
    copyLog: () => {},
    whenFull: null,
    newerMigrations: () => newerMigrations(db, "postgres"),
    now: async () => {
      const { rows } = await sql<{ now: string }>`select extract(epoch from clock_timestamp()) * 1000 as now`.execute(
        db,
      );
      return Number(rows[0]?.now);
    },
    load: () => ({
      pools: Object.entries({ writers, readers, beside, lists: listReaders, background: unhurried }).map(
        ([pool, { load }]) => ({
          pool,
          ...load,
        }),
      ),
      pendingUnits: batcher.waiting + lanes.waiting,
    }),
    ping: async () => {
      // Assigning a transaction id is a write, which a read-only replica refuses.
      const write = lanes.run((tx) => sql`select txid_current()`.execute(tx), { savepoint: false });
      await Promise.all([write, sql`select 1`.execute(db)]);
    },
    hurry: () => unhurried.changeDeadlines(deadlines),
    close,
  };
}

function writesOf(lanes: PostgresLanes): Writes {
  return {
    write: (unit, lane) => lanes.run(unit, { savepoint: true, lane }),
    writeSelfContained: (unit, lane) => lanes.run(unit, { savepoint: false, lane }),
  };
}

async function checkReachable(pool: PostgresPool): Promise<void> {
  try {
    (await pool.connect()).release();
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const why = reason instanceof Error ? reason.message : String(reason);
    throw new ConfigError(`PostgreSQL at PORTICO_DATABASE_URL does not answer: ${why}`);
  }
}
