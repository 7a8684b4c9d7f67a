import type { Db } from "../storage/schema.ts";

/** Whether the member belongs to the group. */
export async function isGroupMember(db: Db, groupId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom("group_members")
    .select("group_id")
    .where("group_id", "=", groupId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Beyond this many, all members of a group are read rather than those asked about. */
const MAX_ASKED = 500;

/** Those of `userIds` who belong to the group. */
export async function membersAmong(db: Db, groupId: string, userIds: string[]): Promise<ReadonlySet<string>> {
  let query = db.selectFrom("group_members").select("user_id").where("group_id", "=", groupId);
  if (userIds.length <= MAX_ASKED) query = query.where("user_id", "in", userIds);
  return new Set((await query.execute()).map(({ user_id }) => user_id));
}

/** The groups a member belongs to, by name. */
export async function listGroupsOf(db: Db, userId: string): Promise<{ groupId: string; name: string }[]> {
  return await db
    .selectFrom("group_members")
    .innerJoin("groups", "groups.group_id", "group_members.group_id")
    .select(["groups.group_id as groupId", "groups.name"])
    .where("user_id", "=", userId)
    .orderBy("groups.name")
    .orderBy("groups.group_id")
    .execute();
}
