import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Dialect } from "../schema.ts";
import { toSmallLetters } from "./small-letters.ts";

/**
 * An SQL condition: one of the columns contains `part`, compared as by {@link toSmallLetters}.
 *
 * @param columns `table.column`; must not come from a caller.
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
