import type { Member } from "@portico/protocol";
import type { Db } from "../../platform/storage/schema.ts";
import { recordChange } from "../audit/audit-store.ts";
import { findMember, lockForLogin } from "../directory/member-store.ts";
import { voidCodes } from "../mini-programs/code-store.ts";
import type { CallOrigin } from "./developer.ts";
import { type GivenTokens, type LoginParts, Logins } from "./logins.ts";
import { loginOfToken, MEMBER_LOGINS } from "./member-login-store.ts";
import { endConsoleOfMember } from "./pending-sign-ins.ts";
import { hashOfToken } from "./refresh-tokens.ts";

/** A login that was ended. */
interface EndedLogin {
  userId: string;
}

const DAY_MS = 86_400_000;
/** How long the access token of a member is good. */
export const MEMBER_ACCESS_MS = 7 * DAY_MS;
const LIVES = { accessMs: MEMBER_ACCESS_MS, refreshMs: 30 * DAY_MS };

/** How long the cookie with a member's refresh token lives. */
export const MEMBER_REFRESH_MS = LIVES.refreshMs;

/**
 * Signs in a member whose password has been checked.
 *
 * @param passwordHash the hash that the password was checked against.
 * @returns null when the password has changed meanwhile or the account is disabled.
 */
export async function startMemberSession(
  ctx: LoginParts,
  userId: string,
  origin: CallOrigin,
  passwordHash: string | null,
): Promise<GivenTokens | null> {
  const logins = loginsOf(ctx);
  return await ctx.storage.write(async (tx) => {
    if (!(await lockForLogin(tx, userId, passwordHash))) return null;
    return await logins.begin(tx, userId, origin);
  }, `logins of ${userId}`);
}

/** Signs in a member whom a provider has identified, and whose row the transaction has locked. */
export async function beginMemberSession(
  ctx: LoginParts,
  tx: Db,
  { userId, issuer }: { userId: string; issuer: string },
  origin: CallOrigin,
): Promise<GivenTokens> {
  return await loginsOf(ctx).begin(tx, userId, origin, { issuer });
}

/**
 * Renews a member's login. Reuse of an old token ends the login, which the audit log records.
 *
 * @returns without `user` when the token was already used, has expired or is unknown; `ended` is the login that it ended.
 */
export async function refreshMemberSession(
  ctx: LoginParts,
  token: string,
  origin: CallOrigin,
): Promise<(GivenTokens & { user: Member; ended: null }) | { ended: EndedLogin | null }> {
  const outcome = await loginsOf(ctx).refresh(token, origin, async (tx, { userId }, now) => {
    // Who has stolen the login may have signed in to the console with it.
    await endConsoleOfMember(tx, userId);
    const change = { action: "member.sign-out", target: `member:${userId}`, before: null, after: { reason: "reuse" } };
    await recordChange(tx, { type: "MEMBER", id: userId, address: origin.address }, change, now);
  });
  if ("ended" in outcome) return outcome;
  const { accountId, ...given } = outcome;
  const user = await findMember(ctx.storage.db, accountId);
  return user === null ? { ended: null } : { ...given, user, ended: null };
}

/** Ends the login that a refresh token names, current or not, with all its tokens; null when there is none. */
export async function endMemberSession(ctx: LoginParts, token: string): Promise<EndedLogin | null> {
  return await loginsOf(ctx).end(token, async () => {});
}

function loginsOf(ctx: LoginParts): Logins<EndedLogin> {
  return new Logins(ctx, "member", MEMBER_LOGINS, LIVES);
}

/**
 * Ends all logins of a member with all their tokens, and the logins to the console that rest on them. After the commit the
 * caller must call `ctx.live.signedOut` to close the streams.
 */
export async function endTokens(tx: Db, userId: string): Promise<void> {
  await endConsoleOfMember(tx, userId);
  await MEMBER_LOGINS.endAll(tx, userId);
  await tx.deleteFrom("member_tokens").where("user_id", "=", userId).execute();
  await voidCodes(tx, userId);
}

/**
 * The same, but for the login that an access token belongs to; a token without a login keeps itself alone. Of logins to the
 * console none stays: nothing says which of the member's logins began them.
 */
export async function endOtherTokens(tx: Db, userId: string, accessToken: string): Promise<void> {
  const hash = hashOfToken(accessToken);
  const loginId = (await loginOfToken(tx, hash)) ?? "";
  await endConsoleOfMember(tx, userId);
  await tx.deleteFrom("member_logins").where("user_id", "=", userId).where("login_id", "!=", loginId).execute();
  await tx
    .deleteFrom("member_tokens")
    .where("user_id", "=", userId)
    .where("token_hash", "!=", hash)
    .where((eb) => eb.or([eb("login_id", "is", null), eb("login_id", "!=", loginId)]))
    .execute();
  await voidCodes(tx, userId);
}

/**
 * Ends one login of a member with its tokens; false when there is none of theirs. After the commit the caller must call
 * `ctx.live.signedOut`.
 */
export async function endMemberLogin(tx: Db, userId: string, loginId: string): Promise<boolean> {
  const login = tx.selectFrom("member_logins").select("login_id").where("user_id", "=", userId);
  if ((await login.where("login_id", "=", loginId).executeTakeFirst()) === undefined) return false;
  // Nothing says which of the logins began them.
  await endConsoleOfMember(tx, userId);
  await tx.deleteFrom("member_logins").where("login_id", "=", loginId).execute();
  await voidCodes(tx, userId);
  return true;
}
