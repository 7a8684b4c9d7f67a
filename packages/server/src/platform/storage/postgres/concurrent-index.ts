import { type RawBuilder, sql } from "kysely";
import { inLowerCase } from "../lower-case.ts";
import type { Db, Dialect } from "../schema.ts";
import { hasCode } from "./outages.ts";

/** An index that is built while others write to its table. */
export interface ConcurrentIndex {
  name: string;
  table: string;
  columns: readonly IndexedColumn[];
}

/** A column, or one whose ASCII letters count as lower case. */
type IndexedColumn = string | { lower: string };

/** The columns of an index, as the engine takes them. */
export function indexedColumns(dialect: Dialect, columns: readonly IndexedColumn[]): RawBuilder<unknown> {
  return sql.join(
    columns.map((column) => (typeof column === "string" ? sql.ref(column) : inLowerCase(dialect, column.lower))),
  );
}

/** The most that one attempt waits for who builds an index of the same table, or vacuums it. Nobody else waits behind it. */
const TURN_TIMEOUT_MS = 10_000;
/** The most that the removal of an unfinished index waits, for meanwhile others wait behind it. */
const REMOVAL_TIMEOUT_MS = 200;
/** PostgreSQL's code for a statement that took longer than it may. */
const CANCELLED = new Set<unknown>(["57014"]);

/**
 * Builds an index outside any transaction, unless it is there. It waits for transactions that are older than itself, and holds
 * up nobody but changes of the same table.
 *
 * @param isDue asked when nobody else builds an index of this table.
 * @throws an error of PostgreSQL when somebody else changes the table, or an unfinished index cannot be removed yet: it can be
 * tried again.
 */
export async function buildConcurrently(
  db: Db,
  index: ConcurrentIndex,
  isDue: (tx: Db) => Promise<boolean>,
): Promise<void> {
  while (await db.transaction().execute((tx) => isMissing(tx, index, isDue))) await build(db, index);
}

async function isMissing(tx: Db, index: ConcurrentIndex, isDue: (tx: Db) => Promise<boolean>): Promise<boolean> {
  await sql`set local lock_timeout = ${sql.lit(TURN_TIMEOUT_MS)}`.execute(tx);
  // Who builds an index of this table holds such a lock until its end; after its client was killed, until the server notices.
  await sql`lock table ${sql.table(index.table)} in share update exclusive mode`.execute(tx);
  if (!(await isDue(tx))) return false;
  const isValid = await validityOf(tx, index);
  if (isValid === false) {
    await sql`set local lock_timeout = ${sql.lit(REMOVAL_TIMEOUT_MS)}`.execute(tx);
    await tx.schema.dropIndex(index.name).execute();
  }
  return isValid !== true;
}

async function build(db: Db, { name, table, columns }: ConcurrentIndex): Promise<void> {
  const made = sql`create index concurrently if not exists ${sql.ref(name)} on ${sql.table(table)}`;
  try {
    await sql`${made} (${indexedColumns("postgres", columns)})`.execute(db);
  } catch (error) {
    if (!hasCode(error, CANCELLED)) throw error;
    const why = `PostgreSQL ended the building of the index ${name} after the statement_timeout of this connection`;
    throw new Error(`${why}: migrate by an address without a pooler, or without that setting`, { cause: error });
  }
}

/** Null when there is no such index; false when its building was interrupted. */
async function validityOf(db: Db, { name }: ConcurrentIndex): Promise<boolean | null> {
  const { rows } = await sql<{ valid: boolean }>`select indisvalid as valid from pg_index
    where indexrelid = to_regclass(${name})`.execute(db);
  return rows[0]?.valid ?? null;
}
