import type { Writes } from "../../platform/storage/storage.ts";

const BATCH = 1_000;

/** Removes finished deliveries that were created before `before` (epoch milliseconds), with their attempts. */
export async function sweepDeliveries(storage: Writes, before: number): Promise<void> {
  for (let removed = BATCH; removed === BATCH; ) {
    removed = await storage.write(async (tx) => {
      const { numDeletedRows } = await tx
        .deleteFrom("deliveries")
        .where("delivery_id", "in", ({ selectFrom }) =>
          selectFrom("deliveries")
            .select("delivery_id")
            .where("created_at", "<", before)
            .where("due_at", "is", null)
            .limit(BATCH),
        )
        // Checked again for PostgreSQL: a delivery that was redelivered after its selection must stay.
        .where("created_at", "<", before)
        .where("due_at", "is", null)
        .executeTakeFirst();
      return Number(numDeletedRows);
    });
  }
}
