import { type RawBuilder, type SqlBool, sql } from "kysely";
import { containsText } from "../storage/contains-text.ts";
import type { Dialect } from "../storage/schema.ts";

/** Which page of a list, and what its entries have to hold. */
export interface PageRequest {
  /** Empty: all. */
  keyword: string;
  page: number;
  pageSize: number;
}

/** Whether one of the columns holds `keyword`; see {@link containsText}. */
export function oneContains(dialect: Dialect, columns: readonly string[], keyword: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.join(
    columns.map((column) => containsText(dialect, column, keyword)),
    sql` or `,
  )})`;
}
