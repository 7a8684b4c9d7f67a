import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../platform/storage/schema.ts";

/** Revokes all claims, and forgets all connections. Only when no other worker can be alive and this process has no claims yet. */
export async function takeAllClaimsBack(tx: Db, now: number): Promise<void> {
  for (const socket of [0, 1]) {
    await tx
      .updateTable("deliveries")
      .set((eb) => ({
        claimed: 0,
        due_at: socket === 0 ? now : eb.fn.coalesce("due_before", eb.val(now)),
        claim: eb("claim", "+", 1),
      }))
      .where("due_at", "is not", null)
      .where("socket", "=", sql.lit(socket))
      .where("claimed", "=", 1)
      .execute();
  }
  await tx.deleteFrom("socket_connections").execute();
}

/**
 * Corrects what was planned by a clock that was ahead of now: a retry is at most its delay away, everything else is due at
 * once. Only when there are no claims.
 */
export async function pullDueTimesBack(tx: Db, now: number, retryDelaysMs: readonly number[]): Promise<void> {
  const delays = retryDelaysMs.map((delayMs, index) => sql`when ${index + 1} then ${sql.lit(delayMs)}`);
  const latest = sql`${now} + case retry_count ${sql.join(delays, sql` `)} else 0 end` as RawBuilder<number>;
  for (const socket of [0, 1]) {
    await tx
      .updateTable("deliveries")
      .set({ due_at: latest })
      .where("due_at", "is not", null)
      .where("socket", "=", sql.lit(socket))
      .where("due_at", ">", latest)
      .execute();
  }
}

/** Revokes the leases of all redelivery jobs. Only when no other worker can be alive. */
export async function takeAllJobsBack(tx: Db, now: number): Promise<void> {
  await tx
    .updateTable("redelivery_jobs")
    .set({ lease_until: now })
    .where("state", "=", sql.lit("RUNNING"))
    .where("lease_until", ">", now)
    .execute();
}
