import type { AppQuota } from "@portico/protocol";
import type { Clock } from "../../platform/clock/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import { dayOf } from "../../platform/coordination/coordination.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { loadDayUsage } from "./day-usage.ts";

/** An application's own limits; null means that the configured default applies. */
export interface OwnLimits {
  perMinute: number | null;
  perDay: number | null;
  concurrent: number | null;
}

/** The effective limits of an application and its usage; null when there is no such application. */
export async function findQuota(
  { config, clock }: { config: Config; clock: Clock },
  db: Db,
  appId: string,
): Promise<AppQuota | null> {
  const own = await db
    .selectFrom("apps")
    .select(["per_minute as perMinute", "per_day as perDay", "concurrent"])
    .where("app_id", "=", appId)
    .executeTakeFirst();
  if (own === undefined) return null;
  const { limits } = config;
  return {
    perMinute: own.perMinute ?? limits.perMinute,
    perDay: own.perDay ?? limits.perDay,
    concurrent: own.concurrent ?? limits.concurrent,
    isDefault: {
      perMinute: own.perMinute === null,
      perDay: own.perDay === null,
      concurrent: own.concurrent === null,
    },
    usedToday: await loadDayUsage(db, appId, dayOf(clock.now())),
  };
}

/** Sets the limits of a locked application. */
export async function setQuota(tx: Db, appId: string, { perMinute, perDay, concurrent }: OwnLimits): Promise<void> {
  await tx
    .updateTable("apps")
    .set({ per_minute: perMinute, per_day: perDay, concurrent })
    .where("app_id", "=", appId)
    .execute();
}
