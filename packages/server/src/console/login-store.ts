import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { prepared } from "../storage/prepared.ts";
import type { Db } from "../storage/schema.ts";
import type { Storage } from "../storage/storage.ts";
import type { CallOrigin, Developer } from "./session.ts";

/** The refresh token that is good from now on, as the database knows it. */
export interface LoginRotation {
  loginId: string;
  refreshHash: string;
  now: number;
  /** When it expires. */
  expiresAt: number;
  /** Where it was asked for. */
  origin: CallOrigin;
}

/** Logins of a developer at a time, and access tokens of a login; the oldest make room for new ones. */
const MAX_LOGINS = 100;
const MAX_ACCESS_TOKENS = 20;

const selectDeveloper = prepared<{ hash: string; now: number }>()((db, param) =>
  db
    .selectFrom("console_access_tokens")
    .innerJoin("console_logins", "console_logins.login_id", "console_access_tokens.login_id")
    .innerJoin("developers", "developers.developer_id", "console_logins.developer_id")
    .select(["developers.developer_id as developerId", "operator"])
    .where("token_hash", "=", param("hash"))
    .where("console_access_tokens.expires_at", ">", param("now"))
    .where("disabled", "=", sql.lit(0)),
);

/** A developer with what logging in needs; null when the phone number is nobody's in its channel. */
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

/** The developer whose access token has this hash; null when it is nobody's or has expired. */
export async function findDeveloperOfToken(db: Db, hash: string, now: number): Promise<Developer | null> {
  const row = await selectDeveloper.first(db, { hash, now });
  return row === undefined ? null : { developerId: row.developerId, operator: row.operator === 1 };
}

/** Begins a login of a developer. */
export async function insertLogin(
  tx: Db,
  developerId: string,
  { loginId, refreshHash, now, expiresAt, origin }: LoginRotation,
): Promise<void> {
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
  await tx
    .insertInto("console_logins")
    .values({
      login_id: loginId,
      developer_id: developerId,
      refresh_hash: refreshHash,
      created_at: now,
      expires_at: expiresAt,
      session_id: `ses_${randomBytes(9).toString("base64url")}`,
      address: origin.address,
      user_agent: origin.userAgent,
      last_used_at: now,
    })
    .execute();
}

/**
 * Puts a new refresh token in the place of the one with `oldHash`, if that is the one that is good: of several who try at
 * once, one does.
 *
 * @returns whose login it is; null when the old one is not, or has expired.
 */
export async function rotateLogin(
  tx: Db,
  oldHash: string,
  { loginId, refreshHash, now, expiresAt, origin }: LoginRotation,
): Promise<string | null> {
  const row = await tx
    .updateTable("console_logins")
    .set({
      refresh_hash: refreshHash,
      expires_at: expiresAt,
      address: origin.address,
      user_agent: origin.userAgent,
      last_used_at: now,
    })
    .where("login_id", "=", loginId)
    .where("refresh_hash", "=", oldHash)
    .where("expires_at", ">", now)
    .where("developer_id", "in", (eb) => eb.selectFrom("developers").select("developer_id").where("disabled", "=", 0))
    .returning("developer_id")
    .executeTakeFirst();
  return row?.developer_id ?? null;
}

/** Ends a login: its access tokens go with it. */
export async function endLogin(tx: Db, loginId: string): Promise<void> {
  await tx.deleteFrom("console_logins").where("login_id", "=", loginId).execute();
}

export async function insertAccessToken(
  tx: Db,
  loginId: string,
  { hash, expiresAt }: { hash: string; expiresAt: number },
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

/** Removes access tokens that have expired, then logins that can neither be renewed nor used. */
export async function sweepLogins(storage: Storage, now: number): Promise<void> {
  await storage.write(async (tx) => {
    await tx.deleteFrom("console_access_tokens").where("expires_at", "<=", now).execute();
    await tx
      .deleteFrom("console_logins")
      .where("expires_at", "<=", now)
      .where("login_id", "not in", tx.selectFrom("console_access_tokens").select("login_id"))
      .execute();
  });
}
