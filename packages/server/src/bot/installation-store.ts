import type { Installation, InstallationState, InstallationsQuery, TargetType } from "@portico/protocol";
import { sql } from "kysely";
import { prepared } from "../storage/prepared.ts";
import type { Db } from "../storage/schema.ts";

const selectStatus = prepared<{ appId: string; targetType: TargetType; targetId: string }>()((db, param) =>
  db
    .selectFrom("installations")
    .select("status")
    .where("app_id", "=", param("appId"))
    .where("target_type", "=", param("targetType"))
    .where("target_id", "=", param("targetId")),
);

/** The status of the application's installation to the target; null when there never was one. */
export async function installationStatus(
  db: Db,
  appId: string,
  targetType: TargetType,
  targetId: string,
): Promise<InstallationState | null> {
  return (await selectStatus.first(db, { appId, targetType, targetId }))?.status ?? null;
}

/** The bots that are or were installed for a member personally, by name. */
export async function listBotsOf(db: Db, userId: string): Promise<{ appId: string; name: string }[]> {
  return await db
    .selectFrom("installations")
    .innerJoin("apps", "apps.app_id", "installations.app_id")
    .select(["apps.app_id as appId", "apps.display_name as name"])
    .where("target_type", "=", "USER")
    .where("target_id", "=", userId)
    .orderBy("apps.display_name")
    .orderBy("apps.app_id")
    .execute();
}

/** The application's installations in the order they were made; `filter` members left out match all. */
export async function listInstallations(db: Db, appId: string, filter: InstallationsQuery): Promise<Installation[]> {
  let query = db
    .selectFrom("installations")
    .leftJoin("groups", (join) =>
      join.onRef("groups.group_id", "=", "target_id").on("target_type", "=", sql.lit("GROUP")),
    )
    .leftJoin("members", (join) =>
      join.onRef("members.user_id", "=", "target_id").on("target_type", "=", sql.lit("USER")),
    )
    .select([
      "target_id",
      "target_type",
      "status",
      "installed_at",
      "groups.name as group_name",
      "members.name as user_name",
    ])
    .where("app_id", "=", appId)
    .orderBy("installed_at")
    .orderBy("target_id");
  if (filter.targetType) query = query.where("target_type", "=", filter.targetType);
  if (filter.status) query = query.where("status", "=", filter.status);
  const rows = await query.execute();
  return rows.map((row) => ({
    targetId: row.target_id,
    targetType: row.target_type,
    status: row.status,
    name: row.group_name ?? row.user_name ?? "",
    installedAt: row.installed_at,
  }));
}
