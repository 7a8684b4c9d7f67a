import { sql } from "kysely";
import { prepared } from "./prepared.ts";
import type { Db, Schema } from "./schema.ts";

/** The tables whose rows expire. */
type Expiring = {
  [Table in keyof Schema]: "expires_at" extends keyof Schema[Table] ? Table : never;
}[keyof Schema];

type ColumnOf<Table extends keyof Schema> = Table extends unknown ? keyof Schema[Table] & string : never;

/**
 * A statement that deletes an owner's rows, except those that expire last. Call it before an insert to keep the number of
 * rows per owner bounded.
 *
 * @param key the primary key.
 * @param owner the column that names the owner.
 * @param isSorted whether the owner's rows are sorted, because no index has them in the order of their expiry.
 */
export function deleteAllButNewest<Table extends Expiring>(
  table: Table,
  key: ColumnOf<Table>,
  owner: ColumnOf<Table>,
  isSorted = false,
): (tx: Db, ownerId: string, kept: number) => Promise<void> {
  // By the sum, because PostgreSQL would search an index of all expiries for the owner's while it has no statistics.
  const order = isSorted ? sql`expires_at + 0` : sql`expires_at`;
  const statement = prepared<{ ownerId: string; kept: number }>()((db, param) => ({
    compile: () =>
      sql<never>`delete from ${sql.table(table)} where ${sql.ref(owner)} = ${param("ownerId")}
        and ${sql.ref(key)} not in (
          select ${sql.ref(key)} from ${sql.table(table)} where ${sql.ref(owner)} = ${param("ownerId")}
          order by ${order} desc limit ${param("kept")})`.compile(db),
  }));
  return async (tx, ownerId, kept) => {
    await statement.affected(tx, { ownerId, kept });
  };
}
