import { sql } from "kysely";
import { prepared } from "../storage/prepared.ts";
import type { Db } from "../storage/schema.ts";
import type { Storage } from "../storage/storage.ts";
import { type NonceLimits, PARTITIONS, type Partition, partitionsInForce, SPAN_MS } from "./nonce-partitions.ts";

/** Processes' clocks may differ by this much without one emptying what another still takes. */
const CLOCK_TOLERANCE_MS = 120_000;

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
    newest = Math.max(newest, await empty(storage, partition, over));
  }
  return newest;
}

/** Removes from a partition what was signed until `over`; returns the newest timestamp of that, 0 where there is none. */
async function empty(storage: Storage, partition: Partition, over: number): Promise<number> {
  const filled = await storage.db.selectFrom(partition).select("nonce").limit(1).executeTakeFirst();
  if (filled === undefined) return 0;
  return await storage.unhurried.write(async (tx) => {
    if (storage.dialect === "postgres") await sql`lock table ${sql.table(partition)}`.execute(tx);
    // Two queries: on SQLite each is one step into the key, where one for both would read the partition.
    const latest = tx.selectFrom(partition).select((eb) => eb.fn.max<number | null>("signed_at").as("at"));
    const { at: newest } = await latest.where("signed_at", "<=", over).executeTakeFirstOrThrow();
    if (newest === null) return 0;
    const { at: left } = await latest.executeTakeFirstOrThrow();
    if (Number(left) > over) await tx.deleteFrom(partition).where("signed_at", "<=", over).execute();
    else if (storage.dialect === "postgres") await sql`truncate ${sql.table(partition)}`.execute(tx);
    else await tx.deleteFrom(partition).execute();
    await noteEmptiedTo(tx, Number(newest));
    return Number(newest);
  });
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
