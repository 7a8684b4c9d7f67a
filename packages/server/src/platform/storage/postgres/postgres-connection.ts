import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, type QueryResult } from "kysely";
import type pg from "pg";
import { connectDirectly, type SqlRunner, type Statement, singleConnectionDialect } from "../connection.ts";
import type { Db, Schema } from "../schema.ts";
import type { ObserveSql } from "../storage.ts";
import { arrayLiteral, binaryTexts, hasEscapes } from "./array-literal.ts";
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

/** A parameter of a statement that is an array of texts. */
const TEXT_ARRAY = /\$(\d+)::text\[\]/g;

/** A prepared statement. */
interface Known {
  name: string;
  /** The numbers of its parameters that are arrays of texts. */
  texts: ReadonlySet<number>;
  /** Whether it has run. */
  isPrepared: boolean;
}

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
  readonly #known = new Map<string, Known>();
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
    // When the first run fails, the next in line is the first.
    for (let planning = this.#planning.get(sql); planning !== undefined; planning = this.#planning.get(sql))
      await planning;
    const known = this.#knownAs(sql);
    const name = known?.name;
    const values = parameters.map((parameter, index) => written(parameter, known?.texts.has(index + 1) === true));
    const answer = this.#send({ name, text: sql, values });
    if (known !== undefined && !known.isPrepared) {
      const end = (isPrepared: boolean) => {
        known.isPrepared = isPrepared;
        this.#planning.delete(sql);
      };
      this.#planning.set(
        sql,
        answer.then(
          () => end(true),
          () => end(false),
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

  #knownAs(sql: string): Known | undefined {
    const known = this.#known.get(sql);
    if (known !== undefined || this.#known.size >= this.#most) return known;
    const texts = new Set(Array.from(sql.matchAll(TEXT_ARRAY), ([, number]) => Number(number)));
    const fresh = { name: `q${this.#known.size}`, texts, isPrepared: false };
    this.#known.set(sql, fresh);
    return fresh;
  }
}

/** A parameter as the driver takes it. */
function written(parameter: unknown, isTexts: boolean): unknown {
  if (!Array.isArray(parameter)) return parameter;
  if (isTexts && hasEscapes(parameter)) return binaryTexts(parameter);
  return arrayLiteral(parameter) ?? parameter;
}
