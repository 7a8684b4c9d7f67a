import type { Group } from "@portico/protocol";
import { sql } from "kysely";
import { joint } from "../../platform/storage/joint.ts";
import type { PartOfNamed } from "../../platform/storage/part-of-named.ts";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db, Dialect } from "../../platform/storage/schema.ts";
import { select } from "../../platform/storage/search/search.ts";
import { type PageRequest, rangeOf } from "./page-request.ts";

/** Whether the member belongs to the group. */
export async function isGroupMember(db: Db, groupId: string, userId: string): Promise<boolean> {
  return await findMembership(db, { groupId, userId });
}

const selectMembership = prepared<{ groupId: string; userId: string }>()((db, param) =>
  db
    .selectFrom("group_members")
    .select("group_id")
    .where("group_id", "=", param("groupId"))
    .where("user_id", "=", param("userId")),
);

const findMembership = joint<{ groupId: string; userId: string }, boolean>({
  alone: async (db, membership) => (await selectMembership.first(db, membership)) !== undefined,
  async joint(db, all) {
    const rows = await selectMemberships.rows(db, {
      groupIds: all.map(({ groupId }) => groupId),
      userIds: all.map(({ userId }) => userId),
    });
    const found = new Set(rows.map(({ n }) => n));
    return all.map((_, index) => found.has(index + 1));
  },
});

const selectMemberships = prepared<{ groupIds: string[]; userIds: string[] }>()((db, param) => ({
  compile: () =>
    sql<{ n: number }>`
      select n
      from unnest(${param("groupIds")}::text[], ${param("userIds")}::text[]) with ordinality as asked(group_id, user_id, n)
      join group_members on group_members.group_id = asked.group_id and group_members.user_id = asked.user_id
    `.compile(db),
}));

/** For more userIds than this, all members of the group are read and filtered here. */
const MAX_ASKED = 500;

/** Those of `userIds` who are members of the group. */
export async function membersAmong(db: Db, groupId: string, userIds: string[]): Promise<ReadonlySet<string>> {
  // PostgreSQL takes no empty list.
  if (userIds.length === 0) return new Set();
  let query = db.selectFrom("group_members").select("user_id").where("group_id", "=", groupId);
  if (userIds.length <= MAX_ASKED) query = query.where("user_id", "in", userIds);
  return new Set((await query.execute()).map(({ user_id }) => user_id));
}

const selectGroupsOf = prepared<{ userId: string }>()((db, param) => groupsOf(db, param("userId")));

function groupsOf(db: Db, userId: string) {
  return db
    .selectFrom("group_members")
    .innerJoin("groups", "groups.group_id", "group_members.group_id")
    .select(["groups.group_id as groupId", "groups.name"])
    .where("user_id", "=", userId)
    .orderBy("groups.name")
    .orderBy("groups.group_id");
}

/** The member's groups, by name; or at most `limit` of those after a place. */
export async function listGroupsOf(
  db: Db,
  userId: string,
  { after, limit }: PartOfNamed = {},
): Promise<{ groupId: string; name: string }[]> {
  if (limit === undefined) return await selectGroupsOf.rows(db, { userId });
  if (!after) return await groupsOf(db, userId).limit(limit).execute();
  return await db
    // By itself: in one with the place, PostgreSQL would begin with all groups while it has no statistics.
    .with(
      (cte) => cte("listed").materialized(),
      () => groupsOf(db, userId),
    )
    .selectFrom("listed")
    .select(["groupId", "name"])
    .where(({ eb, refTuple, tuple }) => eb(refTuple("name", "groupId"), ">", tuple(after.name, after.id)))
    .orderBy("name")
    .orderBy("groupId")
    .limit(limit)
    .execute();
}

/** A page of a tenant's groups, by groupId, and the total. */
export async function listGroups(
  db: Db,
  dialect: Dialect,
  tenantId: string,
  { keyword, ...page }: PageRequest,
): Promise<{ items: Group[]; total: number }> {
  const { where, total } = await select(db, dialect, "groups", { scope: tenantId, keyword });
  const { limit, offset } = rangeOf(page, total);
  const items = await db
    .selectFrom("groups")
    .where(where)
    .select((eb) => [
      "group_id as groupId",
      "name",
      eb
        .selectFrom("group_members")
        .whereRef("group_members.group_id", "=", "groups.group_id")
        .select((count) => count.fn.countAll<number>().as("count"))
        .$asScalar()
        .$notNull()
        .as("memberCount"),
    ])
    .orderBy("group_id")
    .limit(limit)
    .offset(offset)
    .execute();
  return { items, total };
}

/** A group's id and name. */
export interface NamedGroup {
  groupId: string;
  name: string;
}

/** The tenant's group; null when there is no such group. */
export async function findGroup(db: Db, tenantId: string, groupId: string): Promise<NamedGroup | null> {
  const row = await db
    .selectFrom("groups")
    .select(["group_id as groupId", "name"])
    .where("tenant_id", "=", tenantId)
    .where("group_id", "=", groupId)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * {@link findGroup} plus a row lock until the transaction ends; an update locks a row on both engines. Every change of
 * the group or of its members must take this lock first.
 */
export async function lockGroup(tx: Db, tenantId: string, groupId: string): Promise<NamedGroup | null> {
  const row = await tx
    .updateTable("groups")
    .set((eb) => ({ name: eb.ref("name") }))
    .where("tenant_id", "=", tenantId)
    .where("group_id", "=", groupId)
    .returning(["group_id as groupId", "name"])
    .executeTakeFirst();
  return row ?? null;
}

/** Inserts a group; false when the id is taken. */
export async function insertGroup(tx: Db, tenantId: string, { groupId, name }: NamedGroup): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("groups")
    .values({ group_id: groupId, tenant_id: tenantId, name })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function renameGroup(tx: Db, { groupId, name }: NamedGroup): Promise<void> {
  await tx.updateTable("groups").set({ name }).where("group_id", "=", groupId).execute();
}

/** The userIds of a group's members. */
export async function listUserIdsOf(db: Db, groupId: string): Promise<string[]> {
  const rows = await db.selectFrom("group_members").select("user_id").where("group_id", "=", groupId).execute();
  return rows.map(({ user_id }) => user_id);
}

export async function addGroupMembers(tx: Db, groupId: string, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  await tx
    .insertInto("group_members")
    .values(userIds.map((userId) => ({ group_id: groupId, user_id: userId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function removeGroupMembers(tx: Db, groupId: string, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  await tx.deleteFrom("group_members").where("group_id", "=", groupId).where("user_id", "in", userIds).execute();
}
