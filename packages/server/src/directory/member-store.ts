import type { DirectoryMember, Member, Mention } from "@portico/protocol";
import type { Db, Dialect } from "../storage/schema.ts";
import { oneContains, type PageRequest } from "./page-request.ts";

/** Who a tenant's accounts stand for, by each account asked about: userId before username before appId. */
export async function findMentionable(db: Db, tenantId: string, accounts: string[]): Promise<Map<string, Mention>> {
  // PostgreSQL's texts hold no NUL, and no account does.
  const askable = accounts.filter((account) => !account.includes("\0"));
  if (askable.length === 0) return new Map();
  const bots = await db
    .selectFrom("apps")
    .select(["app_id as userId", "display_name as name"])
    .where("tenant_id", "=", tenantId)
    .where("type", "=", "BOT")
    .where("app_id", "in", askable)
    .execute();
  const members = await db
    .selectFrom("members")
    .select(["user_id as userId", "username", "name"])
    .where("tenant_id", "=", tenantId)
    .where((eb) => eb.or([eb("user_id", "in", askable), eb("username", "in", askable)]))
    .execute();
  const found = new Map<string, Mention>();
  for (const bot of bots) found.set(bot.userId, { ...bot, isBot: true });
  for (const { userId, username, name } of members) found.set(username, { userId, name, isBot: false });
  for (const { userId, name } of members) found.set(userId, { userId, name, isBot: false });
  return found;
}

/** A member with what signing in needs, by account; null when there is none, or they have been shut out. */
export async function findForLogin(
  db: Db,
  tenantId: string,
  username: string,
): Promise<(Member & { passwordHash: string | null }) | null> {
  const row = await db
    .selectFrom("members")
    .select(["user_id as userId", "username", "name", "tenant_id as tenantId", "password_hash as passwordHash"])
    .where("tenant_id", "=", tenantId)
    .where("username", "=", username)
    .where("disabled", "=", 0)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Whether the password that was checked is still the member's, and they have not been shut out. Nobody changes that until
 * the transaction ends: writing to a row holds it on either engine.
 */
export async function holdForLogin(tx: Db, userId: string, passwordHash: string | null): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("members")
    .set((eb) => ({ name: eb.ref("name") }))
    .where("user_id", "=", userId)
    .where("password_hash", "=", passwordHash)
    .where("disabled", "=", 0)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

const columns = ["user_id as userId", "username", "name", "phone", "disabled"] as const;

type Row = Omit<DirectoryMember, "disabled"> & { disabled: number };

/** A member as the operator deals with them, from a row of {@link columns}. */
function toMember({ disabled, ...row }: Row): DirectoryMember {
  return { ...row, disabled: disabled === 1 };
}

/** A page of a tenant's members, by username, and how many there are on all pages. */
export async function listMembers(
  db: Db,
  dialect: Dialect,
  tenantId: string,
  { keyword, page, pageSize }: PageRequest,
): Promise<{ items: DirectoryMember[]; total: number }> {
  let selected = db.selectFrom("members").where("tenant_id", "=", tenantId);
  if (keyword !== "")
    selected = selected.where(
      oneContains(dialect, ["members.username", "members.name", "members.phone", "members.user_id"], keyword),
    );
  const { total } = await selected.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await selected
    .select(columns)
    .orderBy("username")
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  return { items: rows.map(toMember), total: Number(total) };
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

/** The userIds of a tenant's members by each account asked about that there is: username before userId. */
export async function findUserIds(db: Db, tenantId: string, accounts: readonly string[]): Promise<Map<string, string>> {
  if (accounts.length === 0) return new Map();
  const rows = await db
    .selectFrom("members")
    .select(["user_id as userId", "username"])
    .where("tenant_id", "=", tenantId)
    .where((eb) => eb.or([eb("username", "in", accounts), eb("user_id", "in", accounts)]))
    .execute();
  const found = new Map<string, string>();
  for (const { userId } of rows) found.set(userId, userId);
  for (const { userId, username } of rows) found.set(username, userId);
  return found;
}

/** Adds a member; false when the userId or, in the tenant, the username is taken. */
export async function insertMember(
  tx: Db,
  tenantId: string,
  { userId, username, name, phone }: DirectoryMember,
  passwordHash: string | null,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("members")
    .values({ user_id: userId, tenant_id: tenantId, username, name, phone, password_hash: passwordHash })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** The tenant's member, whom nobody else changes until the transaction ends; null when there is none. */
export async function holdMember(tx: Db, tenantId: string, userId: string): Promise<DirectoryMember | null> {
  const row = await tx
    .updateTable("members")
    .set((eb) => ({ name: eb.ref("name") }))
    .where("tenant_id", "=", tenantId)
    .where("user_id", "=", userId)
    .returning(columns)
    .executeTakeFirst();
  return row === undefined ? null : toMember(row);
}

/** @param passwordHash left out: the password stays. */
export async function updateMember(
  tx: Db,
  { userId, name, phone, disabled }: DirectoryMember,
  passwordHash?: string,
): Promise<void> {
  await tx
    .updateTable("members")
    .set({
      name,
      phone,
      disabled: disabled ? 1 : 0,
      ...(passwordHash !== undefined && { password_hash: passwordHash }),
    })
    .where("user_id", "=", userId)
    .execute();
}

/** A member by account; null when the tenant has none. */
export async function findMemberByUsername(
  db: Db,
  tenantId: string,
  username: string,
): Promise<DirectoryMember | null> {
  const row = await db
    .selectFrom("members")
    .select(columns)
    .where("tenant_id", "=", tenantId)
    .where("username", "=", username)
    .executeTakeFirst();
  return row === undefined ? null : toMember(row);
}
