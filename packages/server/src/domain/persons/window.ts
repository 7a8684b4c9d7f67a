import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Db } from "../../platform/storage/schema.ts";

/** Rows that one query looks at. */
const WINDOW = 2_000;

/** The tables whose rows have numbers, in the order in which they were written. */
const NUMBERS = {
  messages: "message_id",
  customer_messages: "message_id",
  customer_notes: "note_id",
  customer_sessions: "session_id",
  deliveries: "delivery_id",
} as const;

/** A table that is looked through from its beginning to its end. */
export type SweptTable = keyof typeof NUMBERS;

/** The rows of a window that fit, and where the next one begins; null at the end of the table. */
export interface Found<Row> {
  rows: Row[];
  next: string | null;
}

/**
 * The rows that fit among the next of a table. No index finds a person's rows in these tables: one would cost every
 * message something, for what is rare. What a window costs does not depend on the size of the table.
 *
 * @param position the number up to which it was looked through; empty for all.
 * @param columns what is read of those that fit: columns by the names that they are given.
 */
export async function nextWindow<Row>(
  db: Db,
  table: SweptTable,
  position: string,
  { columns, condition }: { columns: Record<keyof Row & string, string>; condition: Expression<SqlBool> },
): Promise<Found<Row>> {
  const number = sql.ref(NUMBERS[table]);
  const after = position === "" ? (await endOf(db, table, "min")) - 1 : Number(position);
  const upTo = after + WINDOW;
  const selected = Object.entries<string>(columns).map(([name, column]) => sql`${sql.ref(column)} as ${sql.id(name)}`);
  const { rows } = await sql<Row>`
    select ${sql.join(selected)} from ${sql.table(table)}
    where ${number} > ${after} and ${number} <= ${upTo} and ${condition} order by ${number}`.execute(db);
  const last = await lastOf(db, table);
  return { rows, next: upTo < last ? String(upTo) : null };
}

/** The number of the last row of a table; 0 when it is empty. */
export async function lastOf(db: Db, table: SweptTable): Promise<number> {
  return await endOf(db, table, "max");
}

async function endOf(db: Db, table: SweptTable, end: "min" | "max"): Promise<number> {
  const { rows } = await sql<{ number: number | null }>`
    select ${sql.raw(end)}(${sql.ref(NUMBERS[table])}) as number from ${sql.table(table)}`.execute(db);
  return rows[0]?.number ?? 0;
}

/** Whether a column has a text in it; what `like` takes for a pattern is taken as it is. */
export function hasText(column: string, text: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`replace(${sql.ref(column)}, ${text}, '') <> ${sql.ref(column)}`;
}

/** Whether any of the conditions holds. */
export function anyOf(conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
}
