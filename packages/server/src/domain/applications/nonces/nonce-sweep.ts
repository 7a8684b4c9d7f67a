import { sql } from "kysely";
import { prepared } from "../../../platform/storage/prepared.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { Storage } from "../../../platform/storage/storage.ts";
import { type NonceLimits, PARTITIONS, type Partition, partitionsInForce, SPAN_MS } from "./nonce-partitions.ts";

/** When rows are deleted one by one: the time span that one statement covers. */
const SLICE_MS = 1_000;
/** The tolerated difference between the clocks of two processes: none may delete what another still accepts. */
const CLOCK_TOLERANCE_MS = 120_000;

/**
 * How long to wait for a partition that something else reads (a dump, for example). Calls that need the partition wait
 * as well.
 */
const LOCK_WAIT = "500ms";

/**
 * Deletes the nonces that have expired at each of `times`. A partition that none of the times needs is truncated. While
 * the clocks disagree there may be none such, so rows of the other partitions are deleted one by one.
 *
 * @returns the newest timestamp that was deleted; 0 when nothing was.
 */
export async function sweepNonces(storage: Storage, limits: NonceLimits, times: readonly number[]): Promise<number> {
  const { timestampWindowMs, nonceTtlMs } = limits;
  const earliest = Math.min(...times);
  const over = earliest - timestampWindowMs - nonceTtlMs - CLOCK_TOLERANCE_MS;
  const disagree = Math.max(...times) - earliest > SPAN_MS / 2;
  const inForce = new Set(
    times.flatMap((now) => [
      ...partitionsInForce(now - CLOCK_TOLERANCE_MS, limits),
      ...partitionsInForce(now + CLOCK_TOLERANCE_MS, limits),
    ]),
  );
  let newest = 0;
  for (const partition of PARTITIONS) {
    if (inForce.has(partition) && !disagree) continue;
    newest = Math.max(newest, await (inForce.has(partition) ? thin : empty)(storage, partition, over));
  }
  return newest;
}

/**
 * Deletes what was signed until `over` from a partition that nobody needs, by truncation if it contains nothing else.
 *
 * @returns the newest timestamp that was deleted; 0 when nothing was.
 */
async function empty(storage: Storage, partition: Partition, over: number): Promise<number> {
  if (!(await isFilled(storage, partition))) return 0;
  const newest = await storage.unhurried.write(async (tx) => {
    // A call signed by a clock that is far behind waits for this lock and then sees the timestamp stored here.
    if (storage.dialect === "postgres") {
      await sql`set local lock_timeout = ${sql.lit(LOCK_WAIT)}`.execute(tx);
      await sql`lock table ${sql.table(partition)}`.execute(tx);
    }
    const { at: newest } = await latestOf(tx, partition).executeTakeFirstOrThrow();
    if (newest === null || Number(newest) > over) return null;
    if (storage.dialect === "postgres") await sql`truncate ${sql.table(partition)}`.execute(tx);
    else await tx.deleteFrom(partition).execute();
    await noteEmptiedTo(tx, Number(newest));
    return Number(newest);
  });
  return newest ?? (await thin(storage, partition, over));
}

/** Deletes row by row, because some rows may still be needed. On SQLite in slices, because all writers wait for it. */
async function thin(storage: Storage, partition: Partition, over: number): Promise<number> {
  if (!(await isFilled(storage, partition))) return 0;
  const sliceMs = storage.dialect === "sqlite" ? SLICE_MS : Number.POSITIVE_INFINITY;
  let newest = 0;
  for (;;) {
    const removed = await storage.unhurried.write(async (tx) => {
      const oldest = tx.selectFrom(partition).select((eb) => eb.fn.min<number | null>("signed_at").as("at"));
      const { at: from } = await oldest.executeTakeFirstOrThrow();
      if (from === null || Number(from) > over) return 0;
      const slice = latestOf(tx, partition).where("signed_at", "<=", Math.min(over, Number(from) + sliceMs));
      const to = Number((await slice.executeTakeFirstOrThrow()).at);
      // A nonce that is inserted meanwhile is either deleted too, or is newer than the stored timestamp.
      await tx.deleteFrom(partition).where("signed_at", "<=", to).execute();
      await noteEmptiedTo(tx, to);
      return to;
    });
    if (removed === 0) return newest;
    newest = removed;
  }
}

async function isFilled({ db }: Storage, partition: Partition): Promise<boolean> {
  return (await db.selectFrom(partition).select("nonce").limit(1).executeTakeFirst()) !== undefined;
}

/** On SQLite this is a single index lookup. */
function latestOf(tx: Db, partition: Partition) {
  return tx.selectFrom(partition).select((eb) => eb.fn.max<number | null>("signed_at").as("at"));
}

const EMPTIED_TO = "nonces-emptied-to";

/** The newest timestamp of deleted nonces: it is no longer known which nonces were used up to then. */
export const findEmptiedTo = prepared<Record<string, never>>()((db) =>
  db.selectFrom("meta").select("value").where("name", "=", EMPTIED_TO),
);

/** The highest value of all processes is kept. */
async function noteEmptiedTo(tx: Db, timestamp: number): Promise<void> {
  await tx
    .insertInto("meta")
    .values({ name: EMPTIED_TO, value: String(timestamp) })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ value: String(timestamp) })
        .where((eb) => eb(eb.cast<number>("meta.value", "bigint"), "<", timestamp)),
    )
    .execute();
}
