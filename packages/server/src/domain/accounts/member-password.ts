import { ApiError, type Member } from "@portico/protocol";
import type { Config } from "../../platform/config/config.ts";
import { addressBlock } from "../../platform/http/client-address.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import type { Change } from "../audit/audit-store.ts";
import { foldCase } from "../directory/fold-case.ts";
import { findForLogin, findForPassword, lockForLogin, setPasswordHash } from "../directory/member-store.ts";
import { endOtherTokens } from "./member-session.ts";
import { checkNewPassword } from "./password-rules.ts";
import type { PasswordSignIn } from "./password-sign-in.ts";
import type { PasswordHasher } from "./passwords.ts";

/** What it takes to change a member's own password. */
export interface MemberPasswordParts {
  storage: Storage;
  config: Config;
  passwords: PasswordHasher;
  passwordSignIn: PasswordSignIn;
}

/** The account of a member's sign-in, in the counts of failures, which all spellings of its username share. */
export function accountNameOf({ tenantId, username }: { tenantId: string; username: string }): string {
  return `${tenantId}\n${foldCase(username)}`;
}

/**
 * Changes a member's own password, and ends all their tokens but those of the login that asks. After it the caller must
 * call `ctx.live.signedOut`, which closes the streams of the others.
 *
 * @param audit writes the change to the audit log.
 * @throws ApiError 403 when the present password is wrong, 400 when the new one breaks a rule, 429 after too many failures.
 */
export async function changeOwnPassword(
  ctx: MemberPasswordParts,
  member: Member,
  asked: { currentPassword: string; newPassword: string; address: string; accessToken: string },
  audit: (tx: Db, change: Change) => Promise<void>,
): Promise<void> {
  const { userId, tenantId, username } = member;
  const caller = addressBlock(asked.address);
  const attempt = { lane: "members", account: accountNameOf(member), caller, password: asked.currentPassword } as const;
  const found = await ctx.passwordSignIn.attempt(attempt, () => findForLogin(ctx.storage.db, tenantId, username));
  if (found === null) throw new ApiError("PASSWORD_WRONG");
  checkNewPassword(ctx.config, asked.newPassword, (await findForPassword(ctx.storage.db, userId)) ?? {});
  const passwordHash = await ctx.passwords.hash(asked.newPassword);
  await ctx.storage.write(async (tx) => {
    // Somebody else may have changed it since it was checked.
    if (!(await lockForLogin(tx, userId, found.passwordHash))) throw new ApiError("PASSWORD_WRONG");
    await setPasswordHash(tx, userId, passwordHash);
    await endOtherTokens(tx, userId, asked.accessToken);
    const after = { password: "changed" };
    await audit(tx, { action: "member.change-password", target: `member:${userId}`, tenantId, before: null, after });
  }, `logins of ${userId}`);
}
