import type { CompiledQuery } from "kysely";
import { type Statement, sourceOf } from "./connection.ts";
import type { Db } from "./schema.ts";

/** A stand-in for a parameter while a query is compiled. */
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

/** A direct result from SQLite, a promise from PostgreSQL. Callers await both. */
type Soon<T> = T | Promise<T>;

/** A query that is compiled once per database handle; each run only binds its parameters. */
interface Prepared<Params, Row> {
  rows(db: Db, params: Params): Soon<Row[]>;
  /** The first row. For quick look-ups: on PostgreSQL, those of concurrent calls share a connection. */
  first(db: Db, params: Params): Soon<Row | undefined>;
  /** The number of rows that an insert, update or delete changed. */
  affected(db: Db, params: Params): Soon<number>;
  /**
   * The integer key of the row that an insert has added; undefined when it has added none. For SQLite only, where `returning`
   * costs half as much as the insert.
   */
  inserted(db: Db, params: Params): number | undefined;
}

/**
 * Prepares a query for hot paths. `build` is called with stand-ins for its parameters, so it must not inspect them. Two
 * calls, so that the row type is inferred from the query.
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
      inserted(db, params) {
        const { statement, slots } = on(db);
        if (statement.insert === undefined) throw new Error("the engine tells no key of an insert without returning");
        return statement.insert(bind(slots, params));
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

/** The query as a statement of the handle's own connections, or else run by Kysely's executor. */
function statementOn<Row>(db: Db, query: CompiledQuery<Row>): Statement<Row> {
  const source = sourceOf(db);
  if (source !== undefined) return source.statement<Row>(query.sql);
  const execute = (parameters: unknown[]) => db.executeQuery<Row>({ ...query, parameters });
  return {
    all: async (parameters) => (await execute(parameters)).rows,
    get: async (parameters) => (await execute(parameters)).rows[0],
    change: async (parameters) => Number((await execute(parameters)).numAffectedRows ?? 0),
  };
}
