import type { InstallationState, TargetType } from "@portico/protocol";
import { sql } from "kysely";
import { joint } from "../../../platform/storage/joint.ts";
import type { PartOfNamed } from "../../../platform/storage/part-of-named.ts";
import { prepared } from "../../../platform/storage/prepared.ts";
import type { Db, Dialect } from "../../../platform/storage/schema.ts";
import { search } from "../../../platform/storage/search/search.ts";

const selectStatus = prepared<{ appId: string; targetType: TargetType; targetId: string }>()((db, param) =>
  db
    .selectFrom("installations")
    .select("status")
    .where("app_id", "=", param("appId"))
    .where("target_type", "=", param("targetType"))
    .where("target_id", "=", param("targetId")),
);

/** The status of the application's installation at the target; null when there never was one. */
export async function installationStatus(
  db: Db,
  appId: string,
  targetType: TargetType,
  targetId: string,
): Promise<InstallationState | null> {
  return await findStatus(db, { appId, targetType, targetId });
}

/**
 * Has a unit's later {@link installationStatus} answered together with what the unit asks now, instead of in a trip to the
 * database of its own.
 */
export function askStatusAhead(tx: Db, appId: string, targetType: TargetType, targetId: string): void {
  findStatus.ahead(tx, { appId, targetType, targetId });
}

const findStatus = joint<InstallationPlace, InstallationState | null>({
  alone: (db, { appId, targetType, targetId }) => {
    const row = selectStatus.first(db, { appId, targetType, targetId });
    return row instanceof Promise ? row.then((found) => found?.status ?? null) : (row?.status ?? null);
  },
  async joint(db, all) {
    const byKey = new Map(all.map((place) => [`${place.appId} ${place.targetType} ${place.targetId}`, place]));
    const places = [...byKey.values()];
    const rows = await selectStatuses.rows(db, {
      appIds: places.map(({ appId }) => appId),
      types: places.map(({ targetType }) => targetType),
      ids: places.map(({ targetId }) => targetId),
    });
    const statuses = new Map(rows.map(({ n, status }) => [places[n - 1], status]));
    return all.map((place) => {
      return statuses.get(byKey.get(`${place.appId} ${place.targetType} ${place.targetId}`)) ?? null;
    });
  },
});

const selectStatuses = prepared<{ appIds: string[]; types: string[]; ids: string[] }>()((db, param) => ({
  compile: () =>
    sql<{ n: number; status: InstallationState }>`
      select n, status
      from unnest(${param("appIds")}::text[], ${param("types")}::text[], ${param("ids")}::text[])
        with ordinality as place(app_id, type, id, n)
      join installations on installations.app_id = place.app_id and target_type = type and target_id = id
    `.compile(db),
}));

/** Of so few applications each is asked for, in step with those of other units. */
const MOST_JOINTLY = 8;

/** Those of `appIds` that are installed at the target. */
export async function installedOf(
  db: Db,
  appIds: string[],
  targetType: TargetType,
  targetId: string,
): Promise<string[]> {
  if (appIds.length <= MOST_JOINTLY) {
    const statuses = await Promise.all(appIds.map((appId) => installationStatus(db, appId, targetType, targetId)));
    return appIds.filter((_, index) => statuses[index] === "ACTIVE");
  }
  const rows = await db
    .selectFrom("installations")
    .select("app_id")
    .where("app_id", "in", appIds)
    .where("target_type", "=", targetType)
    .where("target_id", "=", targetId)
    .where("status", "=", "ACTIVE")
    .execute();
  return rows.map(({ app_id }) => app_id);
}

/** The most targets in one statement. */
const ASKED_AT_ONCE = 500;

/** What is installed for the member or in one of the groups, in the order of installation. */
export async function listInstalledAt(db: Db, userId: string, groupIds: string[]): Promise<InstallationPlace[]> {
  const installed = await selectInstalledAt(db, "USER", [userId]);
  for (let from = 0; from < groupIds.length; from += ASKED_AT_ONCE) {
    installed.push(...(await selectInstalledAt(db, "GROUP", groupIds.slice(from, from + ASKED_AT_ONCE))));
  }
  return installed
    .sort((a, b) => a.installedAt - b.installedAt)
    .map(({ appId, targetType, targetId }) => ({ appId, targetType, targetId }));
}

function selectInstalledAt(db: Db, targetType: TargetType, targetIds: string[]) {
  return db
    .selectFrom("installations")
    .select(["app_id as appId", "target_type as targetType", "target_id as targetId", "installed_at as installedAt"])
    .where("status", "=", "ACTIVE")
    .where("target_type", "=", targetType)
    .where("target_id", "in", targetIds)
    .execute();
}

const selectBotsOf = prepared<{ userId: string }>()((db, param) => botsOf(db, param("userId")));

function botsOf(db: Db, userId: string) {
  return db
    .selectFrom("installations")
    .innerJoin("apps", "apps.app_id", "installations.app_id")
    .select(["apps.app_id as appId", "apps.display_name as name"])
    .where("target_type", "=", "USER")
    .where("target_id", "=", userId)
    .orderBy("apps.display_name")
    .orderBy("apps.app_id");
}

/** The bots that are or were installed for the member, by name; or at most `limit` of those after a place. */
export async function listBotsOf(
  db: Db,
  userId: string,
  { after, limit }: PartOfNamed = {},
): Promise<{ appId: string; name: string }[]> {
  if (limit === undefined) return await selectBotsOf.rows(db, { userId });
  if (!after) return await botsOf(db, userId).limit(limit).execute();
  return await db
    // By itself: in one with the place, PostgreSQL would begin with all applications while it has no statistics.
    .with(
      (cte) => cte("listed").materialized(),
      () => botsOf(db, userId),
    )
    .selectFrom("listed")
    .select(["appId", "name"])
    .where(({ eb, refTuple, tuple }) => eb(refTuple("name", "appId"), ">", tuple(after.name, after.id)))
    .orderBy("name")
    .orderBy("appId")
    .limit(limit)
    .execute();
}

/** An application and a target. */
export interface InstallationPlace {
  appId: string;
  targetType: TargetType;
  targetId: string;
}

/**
 * Installs the application at the target, again if it was uninstalled. An active installation does not change.
 *
 * @returns the previous status; null when there was no installation.
 */
export async function install(tx: Db, place: InstallationPlace, now: number): Promise<InstallationState | null> {
  const { appId: app_id, targetType: target_type, targetId: target_id } = place;
  // Rows are never deleted, so a row that conflicts with the insert still exists for the update, whoever else installs.
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("installations")
    .values({ app_id, target_type, target_id, status: "ACTIVE", installed_at: now, first_installed_at: now })
    .onConflict((conflict) => conflict.columns(["app_id", "target_type", "target_id"]).doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 1n) return null;
  const again = await change(tx, place, { status: "ACTIVE", installed_at: now });
  return again ? "UNINSTALLED" : "ACTIVE";
}

/** Ends an installation; the conversation stays readable. False when there is none to end. */
export function uninstall(tx: Db, place: InstallationPlace): Promise<boolean> {
  return change(tx, place, { status: "UNINSTALLED" });
}

/** Sets the status of an installation that has another one; false when there is no such installation. */
async function change(
  tx: Db,
  { appId, targetType, targetId }: InstallationPlace,
  values: { status: InstallationState; installed_at?: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("installations")
    .set(values)
    .where("app_id", "=", appId)
    .where("target_type", "=", targetType)
    .where("target_id", "=", targetId)
    .where("status", "!=", values.status)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * The tenant's enabled members who do not have the application installed, by account.
 *
 * @param keyword part of the account or name, case-insensitive; empty for all.
 */
export async function listInstallableMembers(
  db: Db,
  dialect: Dialect,
  { appId, tenantId }: { appId: string; tenantId: string },
  { keyword, limit }: { keyword: string; limit: number },
): Promise<{ username: string; name: string }[]> {
  const isInstalled = sql`exists (select target_id from installations where app_id = ${appId} and target_type = 'USER'
    and target_id = members.user_id and status = 'ACTIVE')`;
  const { where } = await search(db, dialect, "members", {
    scope: tenantId,
    keyword,
    conditions: [sql`members.disabled = 0`, sql`not ${isInstalled}`],
    texts: ["username", "name"],
  });
  return await db
    .selectFrom("members")
    .select(["username", "name"])
    .where(where)
    .orderBy("username")
    .limit(limit)
    .execute();
}
