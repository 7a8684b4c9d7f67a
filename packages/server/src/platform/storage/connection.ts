import type {
  CompiledQuery,
  DatabaseConnection,
  DatabaseIntrospector,
  Dialect,
  DialectAdapter,
  Driver,
  Kysely,
  QueryCompiler,
  QueryResult,
} from "kysely";
import type { Db } from "./schema.ts";

/** A prepared statement of a connection. */
export interface Statement<Row> {
  all(parameters: unknown[]): Row[] | Promise<Row[]>;
  get(parameters: unknown[]): Row | undefined | Promise<Row | undefined>;
  /** Runs a statement that changes rows and returns none. Returns the number of changed rows. */
  change(parameters: unknown[]): number | Promise<number>;
  /** Runs an insert of one row. Returns its integer key; undefined when no row was inserted. SQLite only. */
  insert?(parameters: unknown[]): number | undefined;
}

/** Where statements are prepared. */
export interface StatementSource {
  /** Prepares the statement, or returns the prepared one. */
  statement<Row>(sql: string): Statement<Row>;
}

/** A connection that runs SQL text: synchronously on SQLite, with a promise on PostgreSQL. */
export interface SqlRunner extends StatementSource {
  run<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> | Promise<QueryResult<Row>>;
}

/** The parts that Kysely needs for an engine's SQL dialect. */
export interface EngineParts {
  createAdapter(): DialectAdapter;
  createQueryCompiler(): QueryCompiler;
  // biome-ignore lint/suspicious/noExplicitAny: the signature is Kysely's.
  createIntrospector(db: Kysely<any>): DatabaseIntrospector;
}

/** A Kysely dialect over one connection. Callers that share it must not interleave transactions. */
export function singleConnectionDialect(
  parts: EngineParts,
  runner: SqlRunner,
  end: () => void | Promise<void>,
): Dialect {
  return { ...parts, createDriver: () => new SingleConnectionDriver(runner, end) };
}

class SingleConnectionDriver implements Driver {
  readonly #runner: SqlRunner;
  readonly #end: () => void | Promise<void>;
  readonly #connection: DatabaseConnection;

  constructor(runner: SqlRunner, end: () => void | Promise<void>) {
    this.#runner = runner;
    this.#end = end;
    this.#connection = {
      executeQuery: async <Row>(query: CompiledQuery) => runner.run<Row>(query.sql, query.parameters),
      streamQuery: () => {
        throw new Error("queries are not streamed");
      },
    };
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }
  async beginTransaction(): Promise<void> {
    await this.#runner.run("begin", []);
  }
  async commitTransaction(): Promise<void> {
    await this.#runner.run("commit", []);
  }
  async rollbackTransaction(): Promise<void> {
    await this.#runner.run("rollback", []);
  }
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {
    await this.#end();
  }
}

/** Database handles whose prepared queries bypass Kysely's executor and its promises. */
const sources = new WeakMap<Db, StatementSource>();

/** Makes prepared queries on `db` run directly on `source`. */
export function connectDirectly(db: Db, source: StatementSource): void {
  sources.set(db, source);
}

/** What {@link connectDirectly} assigned to `db`, if anything. */
export function sourceOf(db: Db): StatementSource | undefined {
  return sources.get(db);
}
