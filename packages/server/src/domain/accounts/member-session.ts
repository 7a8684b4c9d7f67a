import { createHash, randomBytes } from "node:crypto";
import type { Member } from "@portico/protocol";
import { sql } from "kysely";
import type { Clock } from "../../platform/clock/clock.ts";
import { prepared } from "../../platform/storage/prepared.ts";
import { removeOld } from "../../platform/storage/remove-old.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Storage, Writes } from "../../platform/storage/storage.ts";
import { lockForLogin } from "../directory/member-store.ts";
import { voidCodes } from "../mini-programs/code-store.ts";

/** The dependencies of the members' sign-in. */
export interface MemberSessionParts {
  storage: Storage;
  clock: Clock;
}

const TOKEN_LIFE_MS = 7 * 86_400_000;
/** Access tokens per member; when there are more, the oldest is removed. */
const MAX_TOKENS = 100;

const selectMember = prepared<{ tokenHash: string; now: number }>()((db, param) =>
  db
    .selectFrom("member_tokens")
    .innerJoin("members", "members.user_id", "member_tokens.user_id")
    .select(["members.user_id as userId", "username", "name", "tenant_id as tenantId"])
    .where("token_hash", "=", param("tokenHash"))
    .where("expires_at", ">", param("now"))
    .where("disabled", "=", sql.lit(0)),
);

const deleteAllBut = prepared<{ userId: string; newest: number }>()((db, param) =>
  db
    .deleteFrom("member_tokens")
    .where("user_id", "=", param("userId"))
    .where("token_hash", "not in", (eb) =>
      eb
        .selectFrom("member_tokens as kept")
        .select("kept.token_hash")
        .where("kept.user_id", "=", param("userId"))
        .orderBy("kept.expires_at", "desc")
        .orderBy("kept.token_hash")
        .limit(param("newest")),
    ),
);

/**
 * Signs in a member whose password has been checked: creates an access token, of which the database stores only the
 * hash.
 *
 * @param passwordHash the hash that the password was checked against.
 * @returns null when the password has changed meanwhile or the account is disabled.
 */
export async function issueToken(
  ctx: MemberSessionParts,
  userId: string,
  passwordHash: string | null,
): Promise<{ accessToken: string; expiresAt: number } | null> {
  const accessToken = randomBytes(32).toString("base64url");
  const expiresAt = ctx.clock.now() + TOKEN_LIFE_MS;
  const row = { token_hash: hashOf(accessToken), user_id: userId, expires_at: expiresAt };
  return await ctx.storage.write(async (tx) => {
    if (!(await lockForLogin(tx, userId, passwordHash))) return null;
    await deleteAllBut.affected(tx, { userId, newest: MAX_TOKENS - 1 });
    await tx.insertInto("member_tokens").values(row).execute();
    return { accessToken, expiresAt };
  });
}

/**
 * Deletes all access tokens of a member. After the commit the caller must call `ctx.live.signedOut` to close the
 * streams.
 */
export async function endTokens(tx: Db, userId: string): Promise<void> {
  await tx.deleteFrom("member_tokens").where("user_id", "=", userId).execute();
  await voidCodes(tx, userId);
}

/** The member whose access token this is; null when the token is unknown or expired. */
export async function memberOfToken(ctx: MemberSessionParts, accessToken: string): Promise<Member | null> {
  if (!/^[\w-]{1,128}$/.test(accessToken)) return null;
  const found = await selectMember.first(ctx.storage.db, { tokenHash: hashOf(accessToken), now: ctx.clock.now() });
  return found ?? null;
}

/** A token is 32 random bytes, so a hash without salt cannot be reversed by guessing. */
function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

/** Deletes expired tokens. */
export async function sweepTokens(storage: Writes, now: number): Promise<void> {
  await removeOld(storage, "member_tokens", { key: ["token_hash"], column: "expires_at", before: now + 1 });
}
