import { sql } from "kysely";
import { prepared } from "../../../platform/storage/prepared.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { Storage } from "../../../platform/storage/storage.ts";
import { type NonceLimits, PARTITIONS, type Partition, partitionsInForce, SPAN_MS } from "./nonce-partitions.ts";

/** What is removed row by row at a time: the calls of so long. */
const SLICE_MS = 1_000;
/** Processes' clocks may differ by this much without one emptying what another still takes. */
const CLOCK_TOLERANCE_MS = 120_000;

/** How long a partition is waited for that something else reads, such as a dump: calls that need it wait behind. */
const LOCK_WAIT = "500ms";

/**
 * Removes the nonces that are over at each of `times`: from a partition that none of them needs whole, and from the others
 * one by one while the clocks disagree, since then there may be none that can be emptied.
 *
 * @returns the newest timestamp of what was removed; 0 when nothing was.
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
 * Removes from a partition that nobody needs what was signed until `over`, whole if that is all there is.
 *
 * @returns the newest timestamp of what was removed; 0 when nothing was.
 */
async function empty(storage: Storage, partition: Partition, over: number): Promise<number> {
  if (!(await isFilled(storage, partition))) return 0;
  const newest = await storage.unhurried.write(async (tx) => {
    // Whoever signs a call by a clock that is far behind waits, and then finds what is noted here.
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

/** The same, row by row: somebody may still need others. In slices on SQLite, where everybody waits for it. */
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
      // What comes meanwhile and is as old is removed too, or else newer than what is noted.
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

/** On SQLite one step into the key. */
function latestOf(tx: Db, partition: Partition) {
  return tx.selectFrom(partition).select((eb) => eb.fn.max<number | null>("signed_at").as("at"));
}

const EMPTIED_TO = "nonces-emptied-to";

/** The newest timestamp of nonces that have been removed: nobody knows any more which were used until then. */
export const findEmptiedTo = prepared<Record<string, never>>()((db) =>
  db.selectFrom("meta").select("value").where("name", "=", EMPTIED_TO),
);

/** Of several processes the furthest counts. */
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
