import { type RawBuilder, SqliteAdapter, sql } from "kysely";
import type { Db, Dialect } from "./schema.ts";

/**
 * A column of ASCII texts in lower case, for conditions that indexes of the same serve. The collation "C" keeps PostgreSQL from
 * the rules of its locale, by which I may become ı; SQLite knows no others than ASCII's.
 */
export function inLowerCase(dialect: Dialect, column: string): RawBuilder<string> {
  return dialect === "sqlite"
    ? sql<string>`lower(${sql.ref(column)})`
    : sql<string>`lower(${sql.ref(column)} collate "C")`;
}

/** The engine of a handle. */
export function dialectOf(db: Db): Dialect {
  return db.getExecutor().adapter instanceof SqliteAdapter ? "sqlite" : "postgres";
}
