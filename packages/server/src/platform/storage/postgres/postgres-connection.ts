import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, type QueryResult } from "kysely";
import type pg from "pg";
import { connectDirectly, type SqlRunner, type Statement, singleConnectionDialect } from "../connection.ts";
import type { Db, Schema } from "../schema.ts";
import type { ObserveSql } from "../storage.ts";
import { arrayLiteral } from "./array-literal.ts";
import { ask, CuttableClient } from "./cuttable-client.ts";
import type { StatementCall, StatementResult } from "./statement-group.ts";

/** What Kysely needs to build PostgreSQL's statements. */
export const POSTGRES_PARTS = {
  createAdapter: () => new PostgresAdapter(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
};

/** The most prepared statements per connection; the program has fewer distinct queries. */
const MAX_PREPARED = 512;

const connections = new WeakMap<pg.PoolClient, PostgresConnection>();

/** The one {@link PostgresConnection} of a connection: it alone names the prepared statements. */
export function connectionOf(client: pg.PoolClient, observe: ObserveSql | undefined): PostgresConnection {
  const known = connections.get(client);
  if (known !== undefined) return known;
  const connection = new PostgresConnection(client, observe);
  connections.set(client, connection);
  return connection;
}

/**
 * A PostgreSQL connection that prepares each distinct statement once. Queries are pipelined: sent without waiting for
 * earlier answers, and answered in order.
 */
export class PostgresConnection implements SqlRunner {
  readonly client: pg.PoolClient;
  readonly handle: Db;
  readonly #names = new Map<string, string>();
  /** Statements whose first run, which prepares them, is in progress. */
  readonly #planning = new Map<string, Promise<unknown>>();
  readonly #observe: ObserveSql | undefined;
  readonly #most: number;
  /** The number of statements that have been sent. */
  sent = 0;

  constructor(client: pg.PoolClient, observe?: ObserveSql) {
    this.client = client;
    this.#most = client instanceof CuttableClient && client.keepsStatements ? MAX_PREPARED : 0;
    this.#observe = observe;
    this.handle = new Kysely<Schema>({ dialect: singleConnectionDialect(POSTGRES_PARTS, this, () => {}) });
    connectDirectly(this.handle, this);
  }

  async run<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    // Only a query without parameters may consist of several statements.
    const isAlone = parameters.length === 0;
    if (isAlone) this.#observe?.(sql);
    const { rows, rowCount } = isAlone ? await this.#send(sql) : await this.#runPrepared(sql, parameters);
    return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) };
  }

  /**
   * Runs a prepared statement. The server refuses to prepare a name twice, so concurrent callers wait for the first
   * one.
   */
  async #runPrepared(sql: string, parameters: readonly unknown[]): Promise<StatementResult> {
    this.#observe?.(sql);
    const planning = this.#planning.get(sql);
    if (planning !== undefined) await planning;
    const isKnown = this.#names.has(sql);
    const name = this.#nameFor(sql);
    const answer = this.#send({ name, text: sql, values: parameters.map(written) });
    if (name !== undefined && !isKnown) {
      this.#planning.set(
        sql,
        answer.then(
          () => this.#planning.delete(sql),
          () => this.#planning.delete(sql),
        ),
      );
    }
    return answer;
  }

  #send(query: string | StatementCall): Promise<StatementResult> {
    this.sent++;
    return ask(this.client, query);
  }

  statement<Row>(sql: string): Statement<Row> {
    return {
      all: async (parameters) => (await this.#runPrepared(sql, parameters)).rows as Row[],
      get: async (parameters) => (await this.#runPrepared(sql, parameters)).rows[0] as Row | undefined,
      change: async (parameters) => (await this.#runPrepared(sql, parameters)).rowCount ?? 0,
    };
  }

  #nameFor(sql: string): string | undefined {
    const known = this.#names.get(sql);
    if (known !== undefined || this.#names.size >= this.#most) return known;
    const name = `q${this.#names.size}`;
    this.#names.set(sql, name);
    return name;
  }
}

/** A parameter as the driver takes it. */
function written(parameter: unknown): unknown {
  return Array.isArray(parameter) ? (arrayLiteral(parameter) ?? parameter) : parameter;
}
