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
import { ask, asOutage, isLost, type PostgresPool } from "./postgres-pool.ts";

/** A Kysely dialect that takes a connection of `pool` for each query, and one for each whole transaction. */
export function pooledDialect(pool: PostgresPool): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createDriver: () => new PooledDriver(pool),
  };
}

class PooledDriver implements Driver {
  readonly #pool: PostgresPool;

  constructor(pool: PostgresPool) {
    this.#pool = pool;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PooledConnection> {
    return new PooledConnection(await this.#pool.connect());
  }

  async beginTransaction(connection: PooledConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin"));
  }

  async commitTransaction(connection: PooledConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("commit"));
  }

  async rollbackTransaction(connection: PooledConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("rollback"));
  }

  async releaseConnection(connection: PooledConnection): Promise<void> {
    connection.release();
  }

  async destroy(): Promise<void> {
    await this.#pool.end();
  }
}

class PooledConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      const { rows, rowCount } = await ask(this.#client, { text: sql, values: [...parameters] });
      return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
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
