import { type Expression, type SqlBool, sql } from "kysely";
import type { Db, Schema } from "./schema.ts";
import type { Writes } from "./storage.ts";

/** The rows removed per transaction, so that a sweep blocks other work only briefly. */
const SLICE = 500;

/** Selects the rows that a sweep removes. */
interface Old<Table extends keyof Schema> {
  /** The table's primary key. */
  key: readonly (keyof Schema[Table] & string)[];
  /** The indexed column whose value is compared with `before`. */
  column: keyof Schema[Table] & string;
  before: number;
  /** A further condition on the rows. */
  condition?: Expression<SqlBool>;
}

/** Removes old rows of a table in bounded transactions, until none are left. */
export async function removeOld<Table extends keyof Schema>(
  storage: Writes,
  table: Table,
  old: Old<Table>,
): Promise<void> {
  while ((await storage.write((tx) => removeSlice(tx, table, old))) === SLICE);
}

async function removeSlice<Table extends keyof Schema>(
  tx: Db,
  table: Table,
  { key, column, before, condition = sql`1 = 1` }: Old<Table>,
): Promise<number> {
  const keys = sql.join(key.map((name) => sql.ref(name)));
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where (${keys}) in (
    select ${keys} from ${sql.table(table)} where ${sql.ref(column)} < ${before} and ${condition}
    order by ${sql.ref(column)} limit ${sql.lit(SLICE)})`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
