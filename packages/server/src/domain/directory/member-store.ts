import type { DirectoryMember, Member } from "@portico/protocol";
import { dialectOf, inLowerCase } from "../../platform/storage/lower-case.ts";
import type { Db, Dialect } from "../../platform/storage/schema.ts";
import { select } from "../../platform/storage/search/search.ts";
import { foldCase } from "./fold-case.ts";
import { type PageRequest, rangeOf } from "./page-request.ts";
import { firstOf, holdUsername } from "./user-names.ts";

/**
 * The member with this account, in any case, with the columns that signing in needs; null when there is none or the account is
 * disabled.
 */
export async function findForLogin(
  db: Db,
  tenantId: string,
  username: string,
): Promise<(Member & { passwordHash: string | null }) | null> {
  const rows = await db
    .selectFrom("members")
    .select(["user_id as userId", "username", "name", "tenant_id as tenantId", "password_hash as passwordHash"])
    .where("tenant_id", "=", tenantId)
    .where(inLowerCase(dialectOf(db), "username"), "=", foldCase(username))
    .where("disabled", "=", 0)
    .execute();
  return firstOf(rows, username);
}

/** The member with this userId who may sign in; null when there is none or the account is disabled. */
export async function findMember(db: Db, userId: string): Promise<Member | null> {
  const row = await db
    .selectFrom("members")
    .select(["user_id as userId", "username", "name", "tenant_id as tenantId"])
    .where("user_id", "=", userId)
    .where("disabled", "=", 0)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Whether the member's password hash has not changed since it was checked and the account is not disabled. The row
 * stays locked until the transaction ends, so neither can change; an update locks a row on both engines.
 */
export async function lockForLogin(tx: Db, userId: string, passwordHash: string | null): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("members")
    .set((eb) => ({ name: eb.ref("name") }))
    .where("user_id", "=", userId)
    .where("password_hash", "=", passwordHash)
    .where("disabled", "=", 0)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** What a password of the member must not be; null when there is no such member. */
export async function findForPassword(
  db: Db,
  userId: string,
): Promise<{ name: string; username: string; phone: string | null } | null> {
  const query = db.selectFrom("members").select(["name", "username", "phone"]).where("user_id", "=", userId);
  return (await query.executeTakeFirst()) ?? null;
}

export async function setPasswordHash(tx: Db, userId: string, passwordHash: string): Promise<void> {
  await tx.updateTable("members").set({ password_hash: passwordHash }).where("user_id", "=", userId).execute();
}

const columns = ["user_id as userId", "username", "name", "phone", "disabled"] as const;

type Row = Omit<DirectoryMember, "disabled"> & { disabled: number };

/** A member as shown to the operator, from a row of {@link columns}. */
function toMember({ disabled, ...row }: Row): DirectoryMember {
  return { ...row, disabled: disabled === 1 };
}

/** A page of a tenant's members, by username, and the total. */
export async function listMembers(
  db: Db,
  dialect: Dialect,
  tenantId: string,
  { keyword, ...page }: PageRequest,
): Promise<{ items: DirectoryMember[]; total: number }> {
  const { where, total } = await select(db, dialect, "members", { scope: tenantId, keyword });
  const { limit, offset } = rangeOf(page, total);
  const rows = await db
    .selectFrom("members")
    .leftJoin("member_erasures", "member_erasures.user_id", "members.user_id")
    .select([
      "members.user_id as userId",
      ...(["username", "name", "phone", "disabled"] as const),
      "member_erasures.user_id as erasedId",
    ])
    .where(where)
    .orderBy("username")
    .limit(limit)
    .offset(offset)
    .execute();
  const items = rows.map(({ erasedId, ...row }) => ({
    ...toMember(row),
    ...(erasedId !== null && { erased: true as const }),
  }));
  return { items, total };
}

/** A group's members, by username. */
export async function listMembersOf(db: Db, groupId: string): Promise<DirectoryMember[]> {
  const rows = await db
    .selectFrom("group_members")
    .innerJoin("members", "members.user_id", "group_members.user_id")
    .select(["members.user_id as userId", "username", "name", "phone", "disabled"])
    .where("group_id", "=", groupId)
    .orderBy("username")
    .execute();
  return rows.map(toMember);
}

/**
 * Inserts a member.
 *
 * @returns null; or what is taken, the userId or the username in the tenant, with the member who has it.
 */
export async function insertMember(
  tx: Db,
  tenantId: string,
  { userId, username, name, phone }: DirectoryMember,
  { passwordHash, now }: { passwordHash: string | null; now: number },
): Promise<{ userId: string; username: string | null } | null> {
  const holder = await holdUsername(tx, tenantId, { userId, username });
  if (holder !== null) return holder;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("members")
    .values({
      ...{ user_id: userId, tenant_id: tenantId, username, name, phone, password_hash: passwordHash },
      ...{ added_at: now, edited_at: now },
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n ? null : { userId, username: null };
}

/** The user name of a member who was deleted: one that nobody can be given, so that another may have the old one. */
export function goneName(userId: string): string {
  return `~${userId}`;
}

/** Whether a member was deleted. Their row stays, for what they wrote refers to it. */
export function isGone({ userId, username }: Pick<DirectoryMember, "userId" | "username">): boolean {
  return username === goneName(userId);
}

/** Locks the row of the tenant's member until the transaction ends; null when there is none. */
export async function lockMember(tx: Db, tenantId: string, userId: string): Promise<DirectoryMember | null> {
  const row = await tx
    .updateTable("members")
    .set((eb) => ({ name: eb.ref("name") }))
    .where("tenant_id", "=", tenantId)
    .where("user_id", "=", userId)
    .returning(columns)
    .executeTakeFirst();
  return row === undefined ? null : toMember(row);
}

/** Whether the tenant has this member, disabled and erased ones included. */
export async function isMemberOf(db: Db, tenantId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom("members")
    .select("user_id")
    .where("tenant_id", "=", tenantId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** @param passwordHash absent: the password does not change. */
export async function updateMember(
  tx: Db,
  { userId, name, phone, disabled }: DirectoryMember,
  { passwordHash, now }: { passwordHash?: string | undefined; now: number },
): Promise<void> {
  await tx
    .updateTable("members")
    .set({
      name,
      phone,
      disabled: disabled ? 1 : 0,
      edited_at: now,
      ...(passwordHash !== undefined && { password_hash: passwordHash }),
    })
    .where("user_id", "=", userId)
    .execute();
}

/** The tenant's enabled member with the developer's phone number; of several the first by userId, null when there is none. */
export async function findMemberOfDeveloper(
  db: Db,
  tenantId: string,
  developerId: string,
): Promise<{ userId: string; username: string } | null> {
  const row = await db
    .selectFrom("developers")
    .innerJoin("members", "members.phone", "developers.phone")
    .select(["members.user_id as userId", "username"])
    .where("developer_id", "=", developerId)
    .where("tenant_id", "=", tenantId)
    .where("members.disabled", "=", 0)
    .orderBy("members.user_id")
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** The tenant's member with this username, in any case; null when there is none. */
export async function findMemberByUsername(
  db: Db,
  tenantId: string,
  username: string,
): Promise<DirectoryMember | null> {
  const rows = await db
    .selectFrom("members")
    .select(columns)
    .where("tenant_id", "=", tenantId)
    .where(inLowerCase(dialectOf(db), "username"), "=", foldCase(username))
    .execute();
  const row = firstOf(rows, username);
  return row === null ? null : toMember(row);
}
