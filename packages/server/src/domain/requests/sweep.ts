import { type RawBuilder, sql } from "kysely";
import { DAY_MS } from "../../platform/coordination/coordination.ts";
import { reqNosFrom } from "../../platform/http/trace.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import { dropDays } from "./days/day-partitions.ts";
import { makeDays } from "./days/make-days.ts";
import { DEFAULT_PARTITION } from "./days/request-day.ts";

/** Rows deleted in one transaction. It is small, so that calls never wait long behind the sweep. */
const BATCH = 500;

/**
 * Removes the days of the request log whose records are all older than `retentionMs`, and makes those of the next days. SQLite
 * has none.
 *
 * @param now epoch milliseconds.
 * @throws an error of PostgreSQL; the next call goes on.
 */
export async function sweepRequestDays(storage: Storage, now: number, retentionMs: number): Promise<void> {
  if (storage.dialect === "sqlite") return;
  try {
    await dropDays(storage, now - retentionMs);
  } finally {
    await makeDays(storage, now);
  }
}

/**
 * Deletes request records that are older than `retentionMs`, in batches; on PostgreSQL not those that leave with their day
 * ({@link sweepRequestDays}), unless the retention is shorter than a day.
 *
 * @param now epoch milliseconds.
 */
export async function sweepRequests(storage: Storage, now: number, retentionMs: number): Promise<void> {
  const byDay = storage.dialect === "postgres" && retentionMs >= DAY_MS;
  const table = sql.table(byDay ? DEFAULT_PARTITION : "requests");
  while ((await storage.unhurried.write((tx) => removeBatch(tx, table, now - retentionMs))) === BATCH);
}

async function removeBatch(tx: Db, table: RawBuilder<unknown>, before: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from ${table} where req_no in (
    select req_no from ${table} where req_no < ${reqNosFrom(before)} order by req_no limit ${sql.lit(BATCH)})`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0);
}
