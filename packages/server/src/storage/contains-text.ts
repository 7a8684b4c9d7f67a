import { type Expression, type SqlBool, sql } from "kysely";
import type { Dialect } from "./schema.ts";

/**
 * Whether `column` holds `part` somewhere. Latin capitals count as small letters, no others: that is all that both
 * engines can be had to agree on.
 *
 * @param column `table.column`, never from outside.
 */
export function containsText(dialect: Dialect, column: string, part: string): Expression<SqlBool> {
  const small = part.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const pattern = `%${small.replace(/[\\%_]/g, "\\$&")}%`;
  const text = dialect === "sqlite" ? sql`lower(${sql.ref(column)})` : sql`lower(${sql.ref(column)} collate "C")`;
  return sql<SqlBool>`${text} like ${pattern} escape '\\'`;
}
