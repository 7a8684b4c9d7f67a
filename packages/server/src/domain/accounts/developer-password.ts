import { ApiError } from "@portico/protocol";
import type { Config } from "../../platform/config/config.ts";
import { addressBlock } from "../../platform/http/client-address.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import type { Change } from "../audit/audit-store.ts";
import type { CallOrigin, Developer } from "./developer.ts";
import {
  endOtherLogins,
  findOwnAccount,
  lockForLogin,
  type OwnAccount,
  setPasswordHash,
} from "./developer-login-store.ts";
import { checkNewPassword } from "./password-rules.ts";
import type { PasswordSignIn } from "./password-sign-in.ts";
import type { PasswordHasher } from "./passwords.ts";
import { endPendingOfDeveloper } from "./pending-sign-ins.ts";

/** What it takes to check a developer's own password. */
export interface OwnPasswordParts {
  storage: Storage;
  passwordSignIn: PasswordSignIn;
}

/** What it takes to change it. */
export interface PasswordChangeParts extends OwnPasswordParts {
  config: Config;
  passwords: PasswordHasher;
}

/** The account of a sign-in with a password, in the counts of failures; it cannot collide with members' accounts. */
export function accountNameOf({ channelId, phone }: { channelId: number; phone: string }): string {
  return JSON.stringify(["console", channelId, phone]);
}

/**
 * Checks the password of a developer who is signed in, within the limits of sign-ins.
 *
 * @throws ApiError 403 when it is wrong, 429 after too many wrong ones.
 */
export async function checkOwnPassword(
  ctx: OwnPasswordParts,
  { developerId }: Developer,
  password: string,
  origin: CallOrigin,
): Promise<OwnAccount> {
  const account = await findOwnAccount(ctx.storage.db, developerId);
  if (account === null) throw new ApiError("NOT_SIGNED_IN");
  const caller = addressBlock(origin.address);
  const attempt = { lane: "console", account: accountNameOf(account), caller, password } as const;
  const found = await ctx.passwordSignIn.attempt(attempt, async () => account);
  if (found === null) throw new ApiError("PASSWORD_WRONG");
  return found;
}

/**
 * Changes a developer's own password, and ends all their logins but the one that asks.
 *
 * @param audit writes the change to the audit log.
 * @throws ApiError 403 when the present password is wrong, 400 when the new one breaks a rule.
 */
export async function changeOwnPassword(
  ctx: PasswordChangeParts,
  developer: Developer,
  asked: { currentPassword: string; newPassword: string; origin: CallOrigin },
  audit: (tx: Db, change: Change) => Promise<void>,
): Promise<void> {
  const { developerId, sessionId } = developer;
  const account = await checkOwnPassword(ctx, developer, asked.currentPassword, asked.origin);
  checkNewPassword(ctx.config, asked.newPassword, account);
  const passwordHash = await ctx.passwords.hash(asked.newPassword);
  await ctx.storage.write(async (tx) => {
    // Somebody else may have changed it since it was checked.
    if (!(await lockForLogin(tx, developerId, account.passwordHash))) throw new ApiError("PASSWORD_WRONG");
    await setPasswordHash(tx, developerId, passwordHash);
    await endPendingOfDeveloper(tx, developerId);
    await endOtherLogins(tx, developerId, sessionId);
    const target = `developer:${developerId}`;
    await audit(tx, { action: "developer.change-password", target, before: null, after: { password: "changed" } });
  }, `logins of ${developerId}`);
}
