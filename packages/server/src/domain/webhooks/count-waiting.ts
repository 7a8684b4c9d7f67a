import { sql } from "kysely";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";

/** Each by its index of what waits. */
const COUNTS = { webhook: countBy(0), socket: countBy(1) };

/** How many deliveries wait for their time, a receiver or another attempt; counted no further than `most`. */
export async function countWaiting(db: Db, way: keyof typeof COUNTS, most: number): Promise<number> {
  return (await COUNTS[way].first(db, { most }))?.total ?? 0;
}

function countBy(socket: 0 | 1) {
  return prepared<{ most: number }>()((db, param) => {
    const waiting = db
      .selectFrom("deliveries")
      .select("due_at")
      .where("app_id", ">", "")
      .where("due_at", "is not", null)
      .where("socket", "=", sql.lit(socket))
      .limit(param("most"));
    return db.selectFrom(waiting.as("waiting")).select((eb) => eb.fn.countAll<number>().as("total"));
  });
}
