import type { CompiledQuery } from "kysely";
import { prepared } from "./prepared.ts";
import type { Db } from "./schema.ts";

/** The numbers of keys that statements are prepared for; a list is filled up to the next one. */
const SIZES = [4, 24, 100] as const;
const MOST = 100;

type KeyParams<Key> = Record<`key${number}`, Key>;

/** A query for the rows of some keys, prepared for lists of several sizes. */
interface PreparedForKeys<Key, Params, Row> {
  /** The rows of all keys, whose number is not bounded; their order is not that of the keys. */
  rows(db: Db, keys: readonly Key[], params: Params): Promise<Row[]>;
}

/**
 * Like `prepared`, for a query whose condition is a list of keys. `build` is called with stand-ins for the keys, some of
 * which will stand for the same key. Two calls, so that the row type is inferred from the query.
 */
export function preparedForKeys<Key, Params extends Record<string, unknown> = Record<never, never>>() {
  return <Row>(
    build: (
      db: Db,
      keys: Key[],
      param: <Name extends keyof Params & string>(name: Name) => Params[Name],
    ) => { compile(): CompiledQuery<Row> },
  ): PreparedForKeys<Key, Params, Row> => {
    const bySize = SIZES.map((size) => ({
      size,
      query: prepared<KeyParams<Key> & Params>()((db, param) =>
        build(
          db,
          Array.from({ length: size }, (_, n) => param(`key${n}` as keyof KeyParams<Key> & string)),
          param,
        ),
      ),
    }));
    const some = (db: Db, keys: readonly Key[], params: Params) => {
      const { size, query } = bySize.find((one) => keys.length <= one.size) ?? largest();
      const filled = Array.from({ length: size }, (_, n) => [`key${n}`, keys[n] ?? keys[0]]);
      return query.rows(db, { ...params, ...Object.fromEntries(filled) });
    };
    const largest = () => {
      throw new Error("a list of keys is cut before it is asked for");
    };
    return {
      async rows(db, keys, params) {
        const rows: Row[] = [];
        for (let from = 0; from < keys.length; from += MOST) {
          rows.push(...(await some(db, keys.slice(from, from + MOST), params)));
        }
        return rows;
      },
    };
  };
}
