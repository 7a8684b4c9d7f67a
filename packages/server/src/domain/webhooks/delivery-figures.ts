import { setImmediate } from "node:timers/promises";
import type { DeliveryState, Figures } from "@portico/protocol";
import { sql } from "kysely";
import type { Db } from "../../platform/storage/schema.ts";

/** The deliveries per statement. SQLite runs it in this thread, where 10,000 take a few milliseconds. */
const SLICE = 10_000;

/** The statistic that counts a state. */
const FIGURE_OF: Record<DeliveryState, keyof Figures["deliveries"]> = {
  DELIVERED: "delivered",
  FAILED: "failed",
  EXHAUSTED: "failed",
  PENDING: "pending",
  RETRYING: "pending",
  DROPPED: "dropped",
};

/** The deliveries of events in the interval that begins at `at` (epoch milliseconds). */
export interface DeliveryFigure {
  at: number;
  figure: keyof Figures["deliveries"];
  count: number;
}

/**
 * Counts the deliveries of an application's events from `from` until before `until` by state, in intervals of
 * `intervalMs` since the epoch. An interval can be returned in several parts. All columns are in one index, so that no
 * bodies are read.
 */
export async function* listDeliveryFigures(
  db: Db,
  appId: string,
  { from, until, intervalMs }: { from: number; until: number; intervalMs: number },
): AsyncGenerator<DeliveryFigure> {
  const bucket = sql<number>`created_at / ${sql.lit(intervalMs)}`;
  for (let below = Number.MAX_SAFE_INTEGER; ; await setImmediate()) {
    const slice = db
      .selectFrom("deliveries")
      .select(["delivery_id", "status", "created_at"])
      .where("app_id", "=", appId)
      .where("delivery_id", "<", below)
      .orderBy("delivery_id", "desc")
      .limit(SLICE)
      .as("slice");
    const rows = await db
      .selectFrom(slice)
      .select(({ fn }) => [
        bucket.as("bucket"),
        "status",
        fn.countAll<number>().as("count"),
        fn.min<number>("delivery_id").as("lowest"),
      ])
      .groupBy([bucket, "status"])
      .execute();
    for (const { bucket, status, count } of rows) {
      const at = bucket * intervalMs;
      if (at >= from && at < until) yield { at, figure: FIGURE_OF[status], count };
    }
    if (rows.reduce((total, { count }) => total + count, 0) < SLICE) return;
    below = Math.min(...rows.map(({ lowest }) => lowest));
  }
}
