import { prepared } from "../../platform/storage/prepared.ts";
import { removeOld } from "../../platform/storage/remove-old.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Writes } from "../../platform/storage/storage.ts";

/** Days before today whose counters are kept. */
const DAYS_KEPT = 30;

const select = prepared<{ appId: string; day: number }>()((db, param) =>
  db.selectFrom("quota_days").select("used").where("app_id", "=", param("appId")).where("day", "=", param("day")),
);

/** The number of calls on `day` (whole UTC days since the epoch) that the database has recorded. */
export async function loadDayUsage(db: Db, appId: string, day: number): Promise<number> {
  return (await select.first(db, { appId, day }))?.used ?? 0;
}

/** The calls on each of an application's days from `first` to `last` that has any. */
export async function listDayUsage(
  db: Db,
  appId: string,
  { first, last }: { first: number; last: number },
): Promise<{ day: number; used: number }[]> {
  return await db
    .selectFrom("quota_days")
    .select(["day", "used"])
    .where("app_id", "=", appId)
    .where("day", ">=", Math.max(first, last - DAYS_KEPT))
    .where("day", "<=", last)
    .orderBy("day")
    .execute();
}

/** Deletes the counters of days that statistics no longer show on `today`. */
export async function sweepDayUsage(storage: Writes, today: number): Promise<void> {
  await removeOld(storage, "quota_days", { key: ["app_id", "day"], column: "day", before: today - DAYS_KEPT });
}
