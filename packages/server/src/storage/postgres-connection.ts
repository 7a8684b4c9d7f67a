import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, type QueryResult } from "kysely";
import type pg from "pg";
import { connectDirectly, type SqlRunner, singleConnectionDialect } from "./connection.ts";
import type { Db, Schema } from "./schema.ts";

/** Distinct statements a connection keeps prepared; the queries of the program are fewer. */
const MAX_PREPARED = 512;

/**
 * One PostgreSQL connection that has the server plan each distinct statement once. Queries are sent without waiting
 * for the answers to those before them, and answered in order.
 */
export class PostgresConnection implements SqlRunner {
  readonly client: pg.PoolClient;
  readonly handle: Db;
  readonly #names = new Map<string, string>();

  constructor(client: pg.PoolClient) {
    this.client = client;
    const parts = {
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    };
    this.handle = new Kysely<Schema>({ dialect: singleConnectionDialect(parts, this, () => {}) });
    connectDirectly(this.handle, this);
  }

  async run<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    const result =
      parameters.length === 0
        ? await this.client.query(sql)
        : await this.client.query({ name: this.#nameFor(sql), text: sql, values: [...parameters] });
    return { rows: result.rows, numAffectedRows: BigInt(result.rowCount ?? 0) };
  }

  #nameFor(sql: string): string | undefined {
    const known = this.#names.get(sql);
    if (known !== undefined || this.#names.size >= MAX_PREPARED) return known;
    const name = `q${this.#names.size}`;
    this.#names.set(sql, name);
    return name;
  }
}
