import type { Db } from "../../platform/storage/schema.ts";
import { type Equality, type Filter, requireAttributes } from "./filter.ts";
import type { Times } from "./meta.ts";
import { ScimError } from "./scim-error.ts";
import type { Part } from "./user-store.ts";

/** A group of a directory, without its members. */
export interface ScimGroup extends Times {
  groupId: string;
  displayName: string;
  externalId: string | null;
}

const columns = [
  ...(["group_id as groupId", "display_name as displayName", "external_id as externalId"] as const),
  ...(["added_at as addedAt", "edited_at as editedAt"] as const),
] as const;

/** A tenant's groups that fit, by id, and how many there are. */
export async function listScimGroups(
  db: Db,
  tenantId: string,
  filter: Filter | null,
  { offset, limit }: Part,
): Promise<{ groups: ScimGroup[]; total: number }> {
  if (filter !== null && filter.length > 1) {
    throw new ScimError(400, "invalidFilter", "of groups, filters of eq terms joined by and are supported");
  }
  requireAttributes(filter, COLUMNS);
  const terms = filter?.[0] ?? [];
  const { count } = await selectGroups(db, tenantId, terms)
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  const groups = await selectGroups(db, tenantId, terms).orderBy("group_id").limit(limit).offset(offset).execute();
  return { groups, total: Number(count) };
}

function selectGroups(db: Db, tenantId: string, terms: readonly Equality[]) {
  let query = db.selectFrom("scim_groups").select(columns).where("tenant_id", "=", tenantId);
  for (const { attribute, value } of terms) {
    const column = COLUMNS.get(attribute);
    const text = typeof value === "string" && !value.includes("\0") ? value : null;
    query = column === undefined || text === null ? query.where((eb) => eb.lit(false)) : query.where(column, "=", text);
  }
  return query;
}

const COLUMNS = new Map<string, "display_name" | "external_id" | "group_id">([
  ["displayname", "display_name"],
  ["externalid", "external_id"],
  ["id", "group_id"],
]);

/** Locks the tenant's group until the transaction ends; an update locks a row on both engines. Null when there is none. */
export async function lockScimGroup(tx: Db, tenantId: string, groupId: string): Promise<ScimGroup | null> {
  const row = await tx
    .updateTable("scim_groups")
    .set((eb) => ({ display_name: eb.ref("display_name") }))
    .where("tenant_id", "=", tenantId)
    .where("group_id", "=", groupId)
    .returning(columns)
    .executeTakeFirst();
  return row ?? null;
}

/** Inserts a group, or changes it. */
export async function putScimGroup(
  tx: Db,
  tenantId: string,
  { groupId, displayName, externalId, addedAt, editedAt }: ScimGroup,
): Promise<void> {
  const changing = { display_name: displayName, external_id: externalId, edited_at: editedAt };
  await tx
    .insertInto("scim_groups")
    .values({ group_id: groupId, tenant_id: tenantId, added_at: addedAt, ...changing })
    .onConflict((conflict) => conflict.column("group_id").doUpdateSet(changing))
    .execute();
}

/** Deletes a group with its memberships. */
export async function deleteScimGroup(tx: Db, groupId: string): Promise<void> {
  await tx.deleteFrom("scim_group_members").where("group_id", "=", groupId).execute();
  await tx.deleteFrom("scim_groups").where("group_id", "=", groupId).execute();
}

/** A user's groups, by name. */
export async function groupsOfUser(db: Db, userId: string): Promise<{ groupId: string; displayName: string }[]> {
  const rows = await db
    .selectFrom("scim_group_members")
    .innerJoin("scim_groups", "scim_groups.group_id", "scim_group_members.group_id")
    .select(["scim_groups.group_id as groupId", "display_name as displayName"])
    .where("user_id", "=", userId)
    .execute();
  return rows.sort((a, b) => (a.displayName === b.displayName ? 0 : a.displayName < b.displayName ? -1 : 1));
}

/** A group's members, by user name. */
export async function membersOfScimGroup(db: Db, groupId: string): Promise<{ userId: string; displayName: string }[]> {
  const rows = await db
    .selectFrom("scim_group_members")
    .innerJoin("members", "members.user_id", "scim_group_members.user_id")
    .select(["members.user_id as userId", "name as displayName", "username"])
    .where("group_id", "=", groupId)
    .execute();
  return rows
    .sort((a, b) => (a.username < b.username ? -1 : 1))
    .map(({ userId, displayName }) => ({ userId, displayName }));
}

export async function addToScimGroup(tx: Db, groupId: string, userIds: readonly string[]): Promise<void> {
  for (let from = 0; from < userIds.length; from += 500) {
    const rows = userIds.slice(from, from + 500).map((userId) => ({ group_id: groupId, user_id: userId }));
    await tx
      .insertInto("scim_group_members")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

export async function removeFromScimGroup(tx: Db, groupId: string, userIds: readonly string[]): Promise<void> {
  for (let from = 0; from < userIds.length; from += 500) {
    await tx
      .deleteFrom("scim_group_members")
      .where("group_id", "=", groupId)
      .where("user_id", "in", userIds.slice(from, from + 500))
      .execute();
  }
}

/** Removes a user from all groups of the directory. */
export async function removeFromScimGroups(tx: Db, userId: string): Promise<void> {
  await tx.deleteFrom("scim_group_members").where("user_id", "=", userId).execute();
}

/** The ids of the conversations that a member belongs to. */
export async function groupsOfMember(tx: Db, userId: string): Promise<string[]> {
  const rows = await tx.selectFrom("group_members").select("group_id").where("user_id", "=", userId).execute();
  return rows.map(({ group_id }) => group_id);
}
