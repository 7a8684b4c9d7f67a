import type { OwnSession } from "@portico/protocol";
import { sql } from "kysely";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Developer } from "./developer.ts";
import { listedLogins } from "./listed-logins.ts";
import { LoginTable } from "./login-table.ts";

/**
 * Logins from before `session_id` existed are identified by a hash. It is no secret: it hashes only part of a token.
 */
const sessionId = sql<string>`coalesce(console_logins.session_id, console_logins.login_id)`;

/** The developers' logins, each with where it was begun or last renewed. */
export const DEVELOPER_LOGINS = new LoginTable({
  logins: "console_logins",
  tokens: "console_access_tokens",
  accounts: "developers",
  accountId: "developer_id",
  originColumns: ({ origin, now }) => ({ address: origin.address, user_agent: origin.userAgent, last_used_at: now }),
  ended: sql<{ developerId: string; sessionId: string }>`developer_id as "developerId", ${sessionId} as "sessionId"`,
});

const selectDeveloper = prepared<{ hash: string; now: number }>()((db, param) =>
  db
    .selectFrom("console_access_tokens")
    .innerJoin("console_logins", "console_logins.login_id", "console_access_tokens.login_id")
    .innerJoin("developers", "developers.developer_id", "console_logins.developer_id")
    .select(["developers.developer_id as developerId", "operator", sessionId.as("sessionId"), "tenant_id as tenantId"])
    .where("token_hash", "=", param("hash"))
    .where("console_access_tokens.expires_at", ">", param("now"))
    .where("disabled", "=", sql.lit(0)),
);

/**
 * The developer with this phone number in the channel, with the columns that signing in needs; null when there is none.
 */
export async function findDeveloperByPhone(
  db: Db,
  channelId: number,
  phone: string,
): Promise<{ developerId: string; passwordHash: string | null; operator: boolean } | null> {
  const row = await db
    .selectFrom("developers")
    .select(["developer_id as developerId", "password_hash as passwordHash", "operator"])
    .where("channel_id", "=", channelId)
    .where("phone", "=", phone)
    .where("disabled", "=", 0)
    .executeTakeFirst();
  return row === undefined ? null : { ...row, operator: row.operator === 1 };
}

/** The developer whose access token has this hash; null when the token is unknown or expired. */
export async function findDeveloperOfToken(db: Db, hash: string, now: number): Promise<Developer | null> {
  const row = await selectDeveloper.first(db, { hash, now });
  // Nobody becomes an operator by a login that is confined to a tenant.
  return row === undefined ? null : { ...row, operator: row.operator === 1 && row.tenantId === null };
}

/**
 * Whether the developer may still begin a login: the account is not disabled and the password hash has not changed
 * since it was checked (if one was). The row stays locked until the transaction ends, so neither can change: an update
 * locks a row on both engines.
 */
export async function lockForLogin(tx: Db, developerId: string, passwordHash?: string | null): Promise<boolean> {
  let update = tx
    .updateTable("developers")
    .set((eb) => ({ name: eb.ref("name") }))
    .where("developer_id", "=", developerId)
    .where("disabled", "=", 0);
  if (passwordHash !== undefined) update = update.where("password_hash", "=", passwordHash);
  return (await update.executeTakeFirstOrThrow()).numUpdatedRows === 1n;
}

/** A developer whose first step of a sign-in was right. */
export interface DeveloperForSignIn {
  phone: string;
  operator: boolean;
  passwordHash: string | null;
}

/** What the second step of a developer's sign-in needs; null when there is no such developer. */
export async function findForSecondStep(db: Db, developerId: string): Promise<DeveloperForSignIn | null> {
  const row = await db
    .selectFrom("developers")
    .select(["phone", "operator", "password_hash as passwordHash"])
    .where("developer_id", "=", developerId)
    .executeTakeFirst();
  return row === undefined ? null : { ...row, operator: row.operator === 1 };
}

/** Notes that the holder of a login has shown a second factor. */
export async function markSecondFactor(tx: Db, developerId: string, named: string): Promise<void> {
  await tx
    .updateTable("console_logins")
    .set({ second_factor: 1 })
    .where("developer_id", "=", developerId)
    .where(sessionId, "=", named)
    .execute();
}

/** Whether a login began without a second factor; with `ofOperators` only that of an operator counts. */
export async function lacksSecondFactor(
  db: Db,
  loginId: string,
  { ofOperators }: { ofOperators: boolean },
): Promise<boolean> {
  let query = db
    .selectFrom("console_logins")
    .innerJoin("developers", "developers.developer_id", "console_logins.developer_id")
    .select("login_id")
    .where("login_id", "=", loginId)
    .where("second_factor", "=", 0);
  if (ofOperators) query = query.where("operator", "=", 1);
  return (await query.executeTakeFirst()) !== undefined;
}

/** The developer's logins that can still be refreshed, most recently used first. */
export async function listLogins(db: Db, developerId: string, now: number): Promise<Omit<OwnSession, "current">[]> {
  const rows = await db
    .selectFrom("console_logins")
    .select([
      sessionId.as("sessionId"),
      "address",
      "user_agent as userAgent",
      "created_at as createdAt",
      "last_used_at as lastUsedAt",
      "expires_at as expiresAt",
    ])
    .where("developer_id", "=", developerId)
    .where("expires_at", ">", now)
    .execute();
  return listedLogins(rows);
}

/** Deletes the developer's login with this session id; false when there is none. */
export async function endLoginOf(tx: Db, developerId: string, named: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("console_logins")
    .where("developer_id", "=", developerId)
    .where(sessionId, "=", named)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Deletes all of the developer's logins but this one. */
export async function endOtherLogins(tx: Db, developerId: string, kept: string): Promise<void> {
  await tx.deleteFrom("console_logins").where("developer_id", "=", developerId).where(sessionId, "!=", kept).execute();
}

/** Deletes the developer's logins that are confined to a tenant; with `but`, only those confined to another one. */
export async function endConfinedLogins(tx: Db, developerId: string, but: string | null): Promise<void> {
  let query = tx
    .deleteFrom("console_logins")
    .where("developer_id", "=", developerId)
    .where("tenant_id", "is not", null);
  if (but !== null) query = query.where("tenant_id", "<>", but);
  await query.execute();
}

/** What a developer needs to prove and change their own password. */
export interface OwnAccount {
  phone: string;
  channelId: number;
  name: string;
  passwordHash: string | null;
}

/** The developer's account; null when it is disabled. */
export async function findOwnAccount(db: Db, developerId: string): Promise<OwnAccount | null> {
  const row = await db
    .selectFrom("developers")
    .select(["phone", "channel_id as channelId", "name", "password_hash as passwordHash"])
    .where("developer_id", "=", developerId)
    .where("disabled", "=", 0)
    .executeTakeFirst();
  return row ?? null;
}

export async function setPasswordHash(tx: Db, developerId: string, passwordHash: string): Promise<void> {
  await tx
    .updateTable("developers")
    .set({ password_hash: passwordHash })
    .where("developer_id", "=", developerId)
    .execute();
}
