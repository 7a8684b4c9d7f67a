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
  return { result: await run(spy), queries };
}
