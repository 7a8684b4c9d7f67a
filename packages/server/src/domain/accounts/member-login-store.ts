import type { OwnSession } from "@portico/protocol";
import { sql } from "kysely";
import type { Db } from "../../platform/storage/schema.ts";
import { listedLogins } from "./listed-logins.ts";
import { LoginTable } from "./login-table.ts";

/**
 * The members' logins, each with where it was begun or last renewed. Their access tokens name the member too: those from before
 * there were logins belong to none.
 */
export const MEMBER_LOGINS = new LoginTable({
  logins: "member_logins",
  tokens: "member_tokens",
  accounts: "members",
  accountId: "user_id",
  tokensOfAccount: { accountId: "user_id", max: 100 },
  originColumns: ({ origin, now }) => ({ address: origin.address, user_agent: origin.userAgent, last_used_at: now }),
  ended: sql<{ userId: string }>`user_id as "userId"`,
});

/**
 * The member's logins that can still be renewed, most recently used first. They are named by their hash, which is no secret: it
 * hashes only part of a token.
 *
 * @param hash of the access token that asks.
 */
export async function listMemberLogins(db: Db, userId: string, hash: string, now: number): Promise<OwnSession[]> {
  const rows = await db
    .selectFrom("member_logins")
    .select([
      "login_id as sessionId",
      "address",
      "user_agent as userAgent",
      "created_at as createdAt",
      "last_used_at as lastUsedAt",
      "expires_at as expiresAt",
    ])
    .where("user_id", "=", userId)
    .where("expires_at", ">", now)
    .execute();
  const own = await loginOfToken(db, hash);
  return listedLogins(rows).map((login) => ({ ...login, current: login.sessionId === own }));
}

/** The login that an access token belongs to; null when it belongs to none. */
export async function loginOfToken(db: Db, hash: string): Promise<string | null> {
  const row = await db
    .selectFrom("member_tokens")
    .select("login_id as loginId")
    .where("token_hash", "=", hash)
    .executeTakeFirst();
  return row?.loginId ?? null;
}
