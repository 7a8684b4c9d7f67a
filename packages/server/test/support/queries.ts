import type { CompiledQuery } from "kysely";
import type { Db } from "../../src/platform/storage/schema.ts";

/** The queries that `run` makes on the handle that it is given, in their order, and its result. */
export async function queriesOf<T>(
  db: Db,
  run: (spy: Db) => Promise<T>,
): Promise<{ queries: CompiledQuery[]; result: T }> {
  const queries: CompiledQuery[] = [];
  const spy = db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      queries.push(db.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const execute = spy.executeQuery.bind(spy);
  const bound = new Set<CompiledQuery>();
  // A prepared query is compiled once, with stand-ins for its parameters, and then run with their values.
  spy.executeQuery = (asked) => {
    const query = "compile" in asked ? asked.compile() : asked;
    const compiled = queries.findIndex((one) => one.queryId === query.queryId && !bound.has(one));
    if (compiled !== -1) queries.splice(compiled, 1);
    bound.add(query);
    queries.push(query);
    return execute(query);
  };
  return { result: await run(spy), queries };
}
