import { type ColumnDefinitionBuilder, type CreateTableBuilder, sql } from "kysely";
import type { Dialect } from "../schema.ts";

/** Makes SQLite store a table's rows in the index of its primary key, as suits small rows that are found by it. */
export function keyedOn(dialect: Dialect): <T extends string>(table: CreateTableBuilder<T, string>) => typeof table {
  return (table) => (dialect === "sqlite" ? table.modifyEnd(sql`without rowid`) : table);
}

export function required(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder {
  return column.notNull();
}
