import { randomBytes } from "node:crypto";
import type { ConsoleSession } from "@portico/protocol";
import { type SqlBool, sql } from "kysely";
import { prepared } from "../../platform/storage/prepared.ts";
import { removeOld } from "../../platform/storage/remove-old.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Writes } from "../../platform/storage/storage.ts";
import type { Developer } from "./developer.ts";
import type { HashedToken, LoginStore, RenewedLogin } from "./logins.ts";
import { readRotated } from "./refresh-rotation.ts";

/** Limits per developer (logins) and per login (access tokens). When a limit is reached, the oldest is removed. */
const MAX_LOGINS = 100;
const MAX_ACCESS_TOKENS = 20;

/**
 * Logins from before `session_id` existed are identified by a hash. It is no secret: it hashes only part of a token.
 */
const sessionId = sql<string>`coalesce(console_logins.session_id, console_logins.login_id)`;

const selectDeveloper = prepared<{ hash: string; now: number }>()((db, param) =>
  db
    .selectFrom("console_access_tokens")
    .innerJoin("console_logins", "console_logins.login_id", "console_access_tokens.login_id")
    .innerJoin("developers", "developers.developer_id", "console_logins.developer_id")
    .select(["developers.developer_id as developerId", "operator", sessionId.as("sessionId")])
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
): Promise<{ developerId: string; passwordHash: string | null } | null> {
  const row = await db
    .selectFrom("developers")
    .select(["developer_id as developerId", "password_hash as passwordHash"])
    .where("channel_id", "=", channelId)
    .where("phone", "=", phone)
    .where("disabled", "=", 0)
    .executeTakeFirst();
  return row ?? null;
}

/** The developer whose access token has this hash; null when the token is unknown or expired. */
export async function findDeveloperOfToken(db: Db, hash: string, now: number): Promise<Developer | null> {
  const row = await selectDeveloper.first(db, { hash, now });
  return row === undefined ? null : { ...row, operator: row.operator === 1 };
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

/** The developer's logins that can still be refreshed, most recently used first. */
export async function listLogins(db: Db, developerId: string, now: number): Promise<Omit<ConsoleSession, "current">[]> {
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
  return rows
    .map(({ address, userAgent, lastUsedAt, ...login }) => ({
      ...login,
      address: address ?? "",
      userAgent: userAgent ?? "",
      lastUsedAt: lastUsedAt ?? login.createdAt,
    }))
    .sort((a, b) => b.lastUsedAt - a.lastUsedAt || b.createdAt - a.createdAt);
}

/**
 * Inserts a login for a developer.
 *
 * @returns its id.
 */
export async function insertLogin(
  tx: Db,
  developerId: string,
  { loginId, refreshHash, now, expiresAt, origin }: RenewedLogin,
): Promise<string> {
  const others = tx
    .selectFrom("console_logins")
    .select("login_id")
    .where("developer_id", "=", developerId)
    .orderBy("expires_at", "desc")
    .limit(MAX_LOGINS - 1);
  await tx
    .deleteFrom("console_logins")
    .where("developer_id", "=", developerId)
    .where("login_id", "not in", others)
    .execute();
  const name = `ses_${randomBytes(9).toString("base64url")}`;
  await tx
    .insertInto("console_logins")
    .values({
      login_id: loginId,
      developer_id: developerId,
      refresh_hash: refreshHash,
      created_at: now,
      expires_at: expiresAt,
      session_id: name,
      address: origin.address,
      user_agent: origin.userAgent,
      last_used_at: now,
    })
    .execute();
  return name;
}

/** Whether this login exists. */
async function isLogin(db: Db, loginId: string): Promise<boolean> {
  const row = await db
    .selectFrom("console_logins")
    .select("login_id")
    .where("login_id", "=", loginId)
    .executeTakeFirst();
  return row !== undefined;
}

/** An update locks a row on both engines. */
async function lock(tx: Db, loginId: string, now: number): ReturnType<LoginStore<string, EndedLogin>["lock"]> {
  const row = await tx
    .updateTable("console_logins")
    .set((eb) => ({ refresh_hash: eb.ref("refresh_hash") }))
    .where("login_id", "=", loginId)
    .where("expires_at", ">", now)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("developers")
          .select("disabled")
          .whereRef("developers.developer_id", "=", "console_logins.developer_id")
          .where("disabled", "=", 0),
      ),
    )
    .returning([
      "developer_id as developerId",
      "refresh_hash as refreshHash",
      "generation",
      "rotated",
      "shared_until as sharedUntil",
    ])
    .executeTakeFirst();
  if (row === undefined) return null;
  const { developerId, rotated, ...state } = row;
  return { owner: developerId, state: { ...state, rotated: readRotated(rotated) } };
}

async function renew(tx: Db, { loginId, now, expiresAt, origin, ...state }: RenewedLogin): Promise<void> {
  await tx
    .updateTable("console_logins")
    .set({
      refresh_hash: state.refreshHash,
      generation: state.generation,
      rotated: JSON.stringify(state.rotated),
      shared_until: state.sharedUntil,
      expires_at: expiresAt,
      address: origin.address,
      user_agent: origin.userAgent,
      last_used_at: now,
    })
    .where("login_id", "=", loginId)
    .execute();
}

/** A login that was ended. */
export interface EndedLogin {
  developerId: string;
  sessionId: string;
  /** When it would have expired, in epoch milliseconds. */
  expiresAt: number;
}

/**
 * Deletes a login and its access tokens.
 *
 * @returns the login; null when there is none.
 */
async function end(tx: Db, loginId: string): Promise<EndedLogin | null> {
  const row = await tx
    .deleteFrom("console_logins")
    .where("login_id", "=", loginId)
    .returning(["developer_id as developerId", sessionId.as("sessionId"), "expires_at as expiresAt"])
    .executeTakeFirst();
  return row ?? null;
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

/** Deletes all logins of a developer. */
export async function endLoginsOf(tx: Db, developerId: string): Promise<void> {
  await tx.deleteFrom("console_logins").where("developer_id", "=", developerId).execute();
}

async function insertAccessToken(
  tx: Db,
  loginId: string,
  _developerId: string,
  { hash, expiresAt }: HashedToken,
): Promise<void> {
  const others = tx
    .selectFrom("console_access_tokens")
    .select("token_hash")
    .where("login_id", "=", loginId)
    .orderBy("expires_at", "desc")
    .limit(MAX_ACCESS_TOKENS - 1);
  await tx
    .deleteFrom("console_access_tokens")
    .where("login_id", "=", loginId)
    .where("token_hash", "not in", others)
    .execute();
  await tx
    .insertInto("console_access_tokens")
    .values({ token_hash: hash, login_id: loginId, expires_at: expiresAt })
    .execute();
}

/** Logins by the developerId of whom they are of. */
export const DEVELOPER_LOGINS: LoginStore<string, EndedLogin> = { isLogin, lock, renew, end, insertAccessToken };

/** Deletes expired access tokens, then logins that can no longer be refreshed or used. */
export async function sweepLogins(storage: Writes, now: number): Promise<void> {
  const before = now + 1;
  await removeOld(storage, "console_access_tokens", { key: ["token_hash"], column: "expires_at", before });
  const condition = sql<SqlBool>`not exists (select login_id from console_access_tokens
    where console_access_tokens.login_id = console_logins.login_id)`;
  await removeOld(storage, "console_logins", { key: ["login_id"], column: "expires_at", before, condition });
}
