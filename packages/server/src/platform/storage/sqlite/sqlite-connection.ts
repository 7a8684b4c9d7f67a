import type Database from "better-sqlite3";
import { Kysely, type QueryResult, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import { connectDirectly, type SqlRunner, type Statement, singleConnectionDialect } from "../connection.ts";
import type { Db, Schema } from "../schema.ts";
import type { ObserveSql } from "../storage.ts";

/** The most prepared statements. The program has fewer distinct queries; this bounds generated ones. */
const MAX_STATEMENTS = 512;

/** A better-sqlite3 connection that prepares each distinct statement once. Synchronous. */
export class SqliteConnection implements SqlRunner {
  readonly database: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();
  /** Called with each statement when it is prepared. */
  observe: ObserveSql | undefined;
  #failures = 0;

  constructor(database: Database.Database) {
    this.database = database;
  }

  run<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    const statement = this.#statements.get(sql) ?? this.#prepare(sql);
    try {
      if (statement.reader) return { rows: statement.all(parameters) as Row[] };
      return { rows: [], numAffectedRows: BigInt(statement.run(parameters).changes) };
    } catch (error) {
      throw this.#failed(error);
    }
  }

  statement<Row>(sql: string): Statement<Row> {
    const planned = plannedOnce(sql);
    this.observe?.(planned);
    const statement = this.database.prepare<unknown[], Row>(planned);
    return {
      all: this.#counting((parameters) => statement.all(parameters)),
      get: this.#counting((parameters) => statement.get(parameters)),
      change: this.#counting((parameters) => statement.run(parameters).changes),
      insert: this.#counting((parameters) => {
        const { changes, lastInsertRowid } = statement.run(parameters);
        return changes === 0 ? undefined : Number(lastInsertRowid);
      }),
    };
  }

  /** The number of statements that have failed so far. The engine gives up a transaction only when one fails. */
  get failures(): number {
    return this.#failures;
  }

  /** Counts the failures of `execute`. */
  #counting<T>(execute: (parameters: readonly unknown[]) => T): (parameters: readonly unknown[]) => T {
    return (parameters) => {
      try {
        return execute(parameters);
      } catch (error) {
        throw this.#failed(error);
      }
    };
  }

  #failed(error: unknown): unknown {
    this.#failures++;
    return error;
  }

  /** A Kysely handle on this connection. */
  handle(): Db {
    return sqliteHandle(this, () => void this.database.close());
  }

  #prepare(sql: string): Database.Statement {
    if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
    this.observe?.(sql);
    const statement = this.database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/**
 * The same statement with `+?` for each `?`. SQLite is built to plan by the values of parameters, so a statement that
 * compares a column of a join or a range with a parameter would be planned again at each run, which takes ten times as
 * long as running it; behind the operator, which changes nothing else, it does not look at them.
 */
function plannedOnce(sql: string): string {
  return sql.replace(/'[^']*'|"[^"]*"|\?/g, (part) => (part === "?" ? "+?" : part));
}

/** A Kysely handle on a connection to SQLite. */
export function sqliteHandle(runner: SqlRunner, end: () => void | Promise<void>): Db {
  const parts = {
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  };
  const db = new Kysely<Schema>({ dialect: singleConnectionDialect(parts, runner, end) });
  connectDirectly(db, runner);
  return db;
}
