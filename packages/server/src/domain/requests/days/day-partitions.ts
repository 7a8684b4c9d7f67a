import { sql } from "kysely";
import type { Db } from "../../../platform/storage/schema.ts";
import type { Storage } from "../../../platform/storage/storage.ts";
import { dayNamed, type RequestDay } from "./request-day.ts";

/**
 * The most that a change of the partitions waits for its lock, for who reads the log, and what writes it, waits behind it. It is
 * tried again a minute later.
 */
const LOCK_WAIT = "200ms";
/** The most that it takes once it has the lock. */
const CHANGE_WITHIN = "500ms";
/** The advisory lock of who changes the partitions. */
const DAYS_LOCK = 6_019_733_041;

/** The days that have a partition, the oldest first. */
export async function listDays(db: Db): Promise<RequestDay[]> {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_inherits
    join pg_class on pg_class.oid = inhrelid where inhparent = to_regclass('requests')`.execute(db);
  const days = rows.map(({ name }) => dayNamed(name)).filter((day) => day !== null);
  return days.sort((one, other) => one.from - other.from);
}

/**
 * Changes the partitions in a transaction, unless another process is doing so.
 *
 * @param within the most that a statement takes; absent for one that holds nobody up.
 * @returns false when another process is doing so.
 * @throws an error of PostgreSQL when somebody has read the log for long, as a dump does.
 */
export async function changeDays(
  { unhurried }: Pick<Storage, "unhurried">,
  change: (tx: Db) => Promise<unknown>,
  within: string | null = CHANGE_WITHIN,
): Promise<boolean> {
  return await unhurried.write(async (tx) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_WAIT)}`.execute(tx);
    if (within !== null) await sql`set local statement_timeout = ${sql.lit(within)}`.execute(tx);
    const turn = sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${sql.lit(DAYS_LOCK)}) as mine`;
    if (!(await turn.execute(tx)).rows[0]?.mine) return false;
    await change(tx);
    return true;
  });
}

/**
 * Removes the days that ended until `before` (epoch milliseconds), each with its files.
 *
 * @throws what the removal of one of them threw, after the others have been tried.
 */
export async function dropDays(storage: Pick<Storage, "db" | "unhurried">, before: number): Promise<void> {
  const failures: unknown[] = [];
  for (const { table, until } of await listDays(storage.db)) {
    if (until > before) break;
    const drop = (tx: Db) => sql`drop table if exists ${sql.table(table)}`.execute(tx);
    await changeDays(storage, drop).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
