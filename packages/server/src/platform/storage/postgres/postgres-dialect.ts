import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import type pg from "pg";
import { restAfter } from "../../limits/paced-semaphore.ts";
import { ask, isLost } from "./cuttable-client.ts";
import { asOutage } from "./outages.ts";
import type { PostgresPool } from "./postgres-pool.ts";

/**
 * A Kysely dialect that takes a connection of `pool` for each query, and one for each whole transaction.
 *
 * @param options.rests whether a connection that others wait for rests after its use, for as long as that took.
 */
export function pooledDialect(pool: PostgresPool, { rests = false } = {}): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createDriver: () => new PooledDriver(pool, rests),
  };
}

class PooledDriver implements Driver {
  readonly #pool: PostgresPool;
  readonly #rests: boolean;

  constructor(pool: PostgresPool, rests: boolean) {
    this.#pool = pool;
    this.#rests = rests;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PooledConnection> {
    return new PooledConnection(await this.#pool.connect());
  }

  async beginTransaction(connection: PooledConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(this.#pool.begin.text));
  }

  async commitTransaction(connection: PooledConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("commit"));
  }

  async rollbackTransaction(connection: PooledConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("rollback"));
  }

  async releaseConnection(connection: PooledConnection): Promise<void> {
    if (!this.#rests || !this.#pool.isWaitedFor) return connection.release();
    // The result does not wait for this.
    setTimeout(() => connection.release(), restAfter(performance.now() - connection.acquiredAt));
  }

  async destroy(): Promise<void> {
    await this.#pool.end();
  }
}

class PooledConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  /** By `performance.now()`. */
  readonly acquiredAt = performance.now();

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      // Only a query without parameters may consist of several statements.
      const query = parameters.length === 0 ? sql : { text: sql, values: [...parameters] };
      const { rows, rowCount } = await ask(this.#client, query);
      return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) };
    } catch (error) {
      throw asOutage(this.#client, error);
    }
  }

  streamQuery(): never {
    throw new Error("queries are not streamed");
  }

  /** Returns the connection to the pool, or discards it when it is lost or still inside a transaction. */
  release(): void {
    this.#client.release(isLost(this.#client) || this.#client.getTransactionStatus() !== "I");
  }
}
