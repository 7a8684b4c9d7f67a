import type { CompiledQuery, QueryResult } from "kysely";
import { runnerOf } from "./connection.ts";
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

/** A query compiled once per engine; running it costs only the binding of its parameters. */
interface Prepared<Params, Row> {
  rows(db: Db, params: Params): Promise<Row[]>;
  first(db: Db, params: Params): Promise<Row | undefined>;
  /** How many rows an insert, update or delete changed. */
  affected(db: Db, params: Params): Promise<number>;
}

/**
 * Prepares a query for the paths where speed counts. `build` is called with stand-ins for its parameters, so it must
 * not look at them. Called in two steps so that the row's type follows from the query.
 */
export function prepared<Params extends Record<string, unknown>>() {
  return <Row>(build: Build<Params, Row>): Prepared<Params, Row> => prepare(build);
}

function prepare<Params extends Record<string, unknown>, Row>(build: Build<Params, Row>): Prepared<Params, Row> {
  const compiledFor = new WeakMap<object, { query: CompiledQuery<Row>; bind: (params: Params) => unknown[] }>();

  const compile = (db: Db) => {
    const adapter = db.getExecutor().adapter;
    const known = compiledFor.get(adapter);
    if (known !== undefined) return known;
    const placeholder = (name: string) => new Placeholder(name) as never;
    const query = build(db, placeholder).compile();
    const slots = query.parameters;
    const bind = (params: Params) => slots.map((slot) => (slot instanceof Placeholder ? params[slot.name] : slot));
    const compiled = { query, bind };
    compiledFor.set(adapter, compiled);
    return compiled;
  };

  const execute = async (db: Db, params: Params): Promise<QueryResult<Row>> => {
    const { query, bind } = compile(db);
    const parameters = bind(params);
    const runner = runnerOf(db);
    return runner ? await runner.run<Row>(query.sql, parameters) : await db.executeQuery<Row>({ ...query, parameters });
  };

  return {
    rows: async (db, params) => (await execute(db, params)).rows,
    first: async (db, params) => (await execute(db, params)).rows[0],
    affected: async (db, params) => Number((await execute(db, params)).numAffectedRows ?? 0),
  };
}
