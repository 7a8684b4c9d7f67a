import type { CompiledQuery } from "kysely";
import { runnerOf, type Statement } from "./connection.ts";
import type { Db } from "./schema.ts";

/** Stands for a parameter while a query is compiled. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

type Build<Params, Row> = (
  db: Db,
  param: <Name extends keyof Params & string>(name: Name) => Params[Name],
) => { compile(): CompiledQuery<Row> };

/** What comes at once from SQLite, and as a promise from PostgreSQL. Either way it is awaited. */
type Soon<T> = T | Promise<T>;

/** A query compiled once per database handle; running it costs only the binding of its parameters. */
interface Prepared<Params, Row> {
  rows(db: Db, params: Params): Soon<Row[]>;
  first(db: Db, params: Params): Soon<Row | undefined>;
  /** How many rows an insert, update or delete changed. */
  affected(db: Db, params: Params): Soon<number>;
}

/**
 * Prepares a query for the paths where speed counts. `build` is called with stand-ins for its parameters, so it must
 * not look at them. Called in two steps so that the row's type follows from the query.
 */
export function prepared<Params extends Record<string, unknown>>() {
  return <Row>(build: Build<Params, Row>): Prepared<Params, Row> => {
    const bound = new WeakMap<Db, BoundQuery<Row>>();
    const on = (db: Db): BoundQuery<Row> => {
      const known = bound.get(db);
      if (known !== undefined) return known;
      const query = build(db, (name) => new Placeholder(name) as never).compile();
      const fresh = { statement: statementOn<Row>(db, query), slots: query.parameters };
      bound.set(db, fresh);
      return fresh;
    };
    return {
      rows(db, params) {
        const { statement, slots } = on(db);
        return statement.all(bind(slots, params));
      },
      first(db, params) {
        const { statement, slots } = on(db);
        return statement.get(bind(slots, params));
      },
      affected(db, params) {
        const { statement, slots } = on(db);
        return statement.change(bind(slots, params));
      },
    };
  };
}

interface BoundQuery<Row> {
  statement: Statement<Row>;
  slots: readonly unknown[];
}

function bind(slots: readonly unknown[], params: Record<string, unknown>): unknown[] {
  return slots.map((slot) => (slot instanceof Placeholder ? params[slot.name] : slot));
}

/** The query on the handle's own connection, else by way of Kysely's executor and whatever connection that takes. */
function statementOn<Row>(db: Db, query: CompiledQuery<Row>): Statement<Row> {
  const runner = runnerOf(db);
  if (runner !== undefined) return runner.statement<Row>(query.sql);
  const execute = (parameters: unknown[]) => db.executeQuery<Row>({ ...query, parameters });
  return {
    all: async (parameters) => (await execute(parameters)).rows,
    get: async (parameters) => (await execute(parameters)).rows[0],
    change: async (parameters) => Number((await execute(parameters)).numAffectedRows ?? 0),
  };
}
