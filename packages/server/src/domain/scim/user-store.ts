import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import { dialectOf, inLowerCase } from "../../platform/storage/lower-case.ts";
import { RaceLost } from "../../platform/storage/savepoint.ts";
import type { Db, Dialect, Schema } from "../../platform/storage/schema.ts";
import { usernameOf } from "../directory/directory-names.ts";
import { foldCase } from "../directory/fold-case.ts";
import { goneName } from "../directory/member-store.ts";
import { firstOf } from "../directory/user-names.ts";
import type { Email } from "./emails.ts";
import { type Equality, type Filter, requireAttributes } from "./filter.ts";
import type { Times } from "./meta.ts";
import { type PersonName, shownName } from "./person-name.ts";
import type { ScimUser } from "./user-resource.ts";

/** Which part of a list. */
export interface Part {
  /** From 0. */
  offset: number;
  limit: number;
}

/** For a filter of ids and names: the most users of each alternative. */
const MAX_OF_ALTERNATIVE = 1_000;

/**
 * A tenant's users that fit, by user name, and how many there are.
 *
 * @throws ScimError 400 for a filter of other attributes than ATTRIBUTES.
 */
export async function listUsers(
  db: Db,
  tenantId: string,
  filter: Filter | null,
  { offset, limit }: Part,
): Promise<{ users: ScimUser[]; total: number }> {
  requireAttributes(filter, ATTRIBUTES);
  if (filter !== null && !isForOneIndex(filter)) return await listFound(db, tenantId, filter, { offset, limit });
  const terms = filter?.[0] ?? [];
  const { count } = await selectUsers(db, tenantId, terms)
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  const rows = await selectUsers(db, tenantId, terms).orderBy("username").limit(limit).offset(offset).execute();
  return { users: limit === 0 ? [] : rows.map(userOf), total: Number(count) };
}

const ATTRIBUTES = new Set(["id", "username", "externalid", "displayname", "name.formatted", "active"]);

/** Whether an index has the users that fit in their order. */
function isForOneIndex(filter: Filter): boolean {
  const [terms = [], ...others] = filter;
  return (
    others.length === 0 && terms.every(({ attribute }) => /^(?:displayname|name\.formatted|active)$/.test(attribute))
  );
}

/**
 * The users that fit a filter of ids and names: few, so they are put in order here. One statement for each alternative: given
 * an OR, a planner may read all members of the tenant.
 */
async function listFound(db: Db, tenantId: string, filter: Filter, { offset, limit }: Part) {
  const found = new Map<string, ScimUser>();
  for (const terms of filter) {
    const rows = await selectUsers(db, tenantId, terms).limit(MAX_OF_ALTERNATIVE).execute();
    for (const user of namedSo(rows.map(userOf), terms)) found.set(user.userId, user);
  }
  const users = [...found.values()].sort((a, b) => (a.userName < b.userName ? -1 : 1));
  return { users: users.slice(offset, offset + limit), total: users.length };
}

/** The tenant's user; null when there is none, or it has been deleted. */
export async function findUser(db: Db, tenantId: string, userId: string): Promise<ScimUser | null> {
  const row = await selectUsers(db, tenantId, [{ attribute: "id", value: userId }]).executeTakeFirst();
  return row === undefined ? null : userOf(row);
}

/** Those of the userIds that are users of the tenant. */
export async function usersAmong(db: Db, tenantId: string, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (let from = 0; from < userIds.length; from += 500) {
    const rows = await db
      .selectFrom("members")
      .leftJoin("scim_users", "scim_users.user_id", "members.user_id")
      .select(["members.user_id as userId", "members.tenant_id as tenantId", "deleted_at as deletedAt"])
      .where("members.user_id", "in", userIds.slice(from, from + 500))
      .execute();
    for (const { userId, ...row } of rows) if (row.tenantId === tenantId && row.deletedAt === null) found.add(userId);
  }
  return found;
}

/**
 * Changes the user name; the caller has made sure that nobody has it.
 *
 * @throws RaceLost when somebody has been given it since: the caller looks again.
 */
export async function renameUser(tx: Db, userId: string, username: string): Promise<void> {
  try {
    await tx.updateTable("members").set({ username }).where("user_id", "=", userId).execute();
  } catch (error) {
    if (isTaken(error)) throw new RaceLost("the user name was given away meanwhile", { cause: error });
    throw error;
  }
}

/** The codes of a value that is there already although it has to be unique, of PostgreSQL and of SQLite. */
const TAKEN = new Set<unknown>(["23505", "SQLITE_CONSTRAINT_UNIQUE"]);

function isTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && TAKEN.has(error.code);
}

/** Stores what a directory alone knows of a user: its own id, how it calls them, and their addresses. */
export async function putDirectoryWords(tx: Db, tenantId: string, user: Omit<ScimUser, "displayName">): Promise<void> {
  const { userId, userName, emails } = user;
  const said = {
    external_id: user.externalId,
    user_name: usernameOf(userName) === userName ? null : userName,
    display_name: user.ownName,
    formatted_name: user.formattedName,
    given_name: user.givenName,
    family_name: user.familyName,
    emails: emails.length === 0 ? null : JSON.stringify(emails),
  };
  await tx
    .insertInto("scim_users")
    .values({ user_id: userId, tenant_id: tenantId, deleted_at: null, ...said })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(said))
    .execute();
}

const NOTHING = {
  ...{ external_id: null, user_name: null, emails: null },
  ...{ display_name: null, formatted_name: null, given_name: null, family_name: null },
};

/** Marks a user as deleted. The name is one that no user can be given, so that another may have the old one. */
export async function markDeleted(tx: Db, tenantId: string, userId: string, now: number): Promise<void> {
  const said = { ...NOTHING, deleted_at: now };
  await tx
    .insertInto("scim_users")
    .values({ user_id: userId, tenant_id: tenantId, ...said })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(said))
    .execute();
  await tx
    .updateTable("members")
    .set({ username: goneName(userId), disabled: 1, password_hash: null })
    .where("user_id", "=", userId)
    .execute();
  await tx.deleteFrom("member_identities").where("user_id", "=", userId).execute();
}

interface Row extends PersonName, Times {
  userId: string;
  username: string;
  directoryName: string | null;
  displayName: string;
  phone: string | null;
  externalId: string | null;
  disabled: number;
  emails: string | null;
}

function userOf({ disabled, username, directoryName, emails, ...row }: Row): ScimUser {
  const userName = directoryName ?? username;
  // A name that follows from no other is one that was said, maybe by somebody else since.
  const isMade = row.ownName !== row.displayName && shownName({ ...row, ownName: null }, userName) === row.displayName;
  return {
    ...row,
    userName,
    ownName: isMade ? null : row.displayName,
    active: disabled === 0,
    // As it was written above.
    emails: emails === null ? [] : (JSON.parse(emails) as Email[]),
  };
}

function selectUsers(db: Db, tenantId: string, terms: readonly Equality[]) {
  return (
    db
      .selectFrom("members")
      // Of the tenant, or else those of all tenants are read for a long list.
      .leftJoin("scim_users", (join) =>
        join.onRef("scim_users.user_id", "=", "members.user_id").on("scim_users.tenant_id", "=", tenantId),
      )
      .select([
        "members.user_id as userId",
        "username",
        "user_name as directoryName",
        "name as displayName",
        "phone",
        "external_id as externalId",
        "disabled",
        "display_name as ownName",
        "formatted_name as formattedName",
        "given_name as givenName",
        "family_name as familyName",
        "emails",
        "members.added_at as addedAt",
        "members.edited_at as editedAt",
      ])
      .where("members.tenant_id", "=", tenantId)
      .where("deleted_at", "is", null)
      .where((eb) => eb.and(terms.map((term) => conditionOf(eb, dialectOf(db), term, tenantId))))
  );
}

type Users = ExpressionBuilder<Schema & { scim_users: Schema["scim_users"] }, "members" | "scim_users">;

/**
 * Of users who were found by the user names that are made of those in a filter, the ones whom the directory calls so, in any case.
 * Of several, which there are only from before such names were refused, it is one.
 */
function namedSo(users: readonly ScimUser[], terms: readonly Equality[]): readonly ScimUser[] {
  const names = terms.flatMap(({ attribute, value }) => (attribute === "username" ? [String(value)] : []));
  const [name] = names;
  if (name === undefined) return users;
  const so = users.filter(({ userName }) => names.every((each) => foldCase(each) === foldCase(userName)));
  const first = firstOf(
    so.map((user) => ({ ...user, username: user.userName })),
    name,
  );
  return so.filter(({ userId }) => userId === first?.userId);
}

function conditionOf(
  eb: unknown,
  dialect: Dialect,
  { attribute, value }: Equality,
  tenantId: string,
): Expression<SqlBool> {
  const users = eb as Users;
  const text = typeof value === "string" && !value.includes("\0") ? value : null;
  const username = text === null ? null : usernameOf(text);
  switch (attribute) {
    case "username":
      return username === null ? users.lit(false) : users(inLowerCase(dialect, "username"), "=", foldCase(username));
    case "displayname":
    case "name.formatted":
      return text === null ? users.lit(false) : users("name", "=", text);
    case "id":
      return text === null ? users.lit(false) : users("members.user_id", "=", text);
    case "externalid":
      return text === null
        ? users.lit(false)
        : users.and([users("scim_users.tenant_id", "=", tenantId), users("external_id", "=", text)]);
    case "active":
      return users("disabled", "=", String(value).toLowerCase() === "true" ? 0 : 1);
    default:
      return users.lit(false);
  }
}
