import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Dialect } from "../schema.ts";
import { toSmallLetters } from "./small-letters.ts";

/**
 * Whether one of the columns holds `part` somewhere; of capitals see {@link toSmallLetters}.
 *
 * @param columns `table.column`, never from outside.
 */
export function oneContains(dialect: Dialect, columns: readonly string[], part: string): RawBuilder<SqlBool> {
  const pattern = `%${toSmallLetters(part).replace(/[\\%_]/g, "\\$&")}%`;
  const text = (column: string) =>
    dialect === "sqlite" ? sql`lower(${sql.ref(column)})` : sql`lower(${sql.ref(column)} collate "C")`;
  return sql<SqlBool>`(${sql.join(
    columns.map((column) => sql`${text(column)} like ${pattern} escape '\\'`),
    sql` or `,
  )})`;
}
