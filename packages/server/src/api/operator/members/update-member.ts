import type { DirectoryMember, UpdateMemberBody } from "@portico/protocol";
import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { endTokens } from "../../../domain/accounts/member-session.ts";
import type { MemberTokens } from "../../../domain/accounts/member-tokens.ts";
import { endConsoleOfMember } from "../../../domain/accounts/pending-sign-ins.ts";
import { differencesOf } from "../../../domain/audit/differences.ts";
import { findForPassword, isGone, lockMember, updateMember as update } from "../../../domain/directory/member-store.ts";
import {
  findWhoseWord,
  markDisabledBy,
  markNumberOfOperator,
  type WhoseWord,
} from "../../../domain/directory/whose-word.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import type { LiveParts } from "../../common/parts.ts";
import { newPasswordHash } from "../hash-password.ts";
import type { PasswordParts } from "../parts.ts";

interface MemberUpdateParts extends PasswordParts, LiveParts {
  memberTokens: MemberTokens;
}

/**
 * PATCH operator/members/{userId}, in the header's tenant. A new password, or disabling the account, signs the member
 * out everywhere. Members are never deleted, because message history refers to them.
 */
export const updateMember: ConsoleRoute<typeof OPERATOR_ENDPOINTS.updateMember, MemberUpdateParts> = {
  endpoint: OPERATOR_ENDPOINTS.updateMember,
  async handle(ctx, { audit, body, developer, params, tenantId }) {
    const { userId } = params;
    const { password, ...said } = body;
    const owner = { ...(await findForPassword(ctx.storage.db, userId)), ...said };
    const passwordHash = password === undefined ? undefined : await newPasswordHash(ctx, developer, password, owner);
    const { member, isSignedOut } = await ctx.storage.write(async (tx) => {
      const before = await lockMember(tx, tenantId, userId);
      if (before === null || isGone(before)) throw new ConsoleError("MEMBER_NOT_FOUND");
      const differences = differencesOf(before, said);
      const words = await takeOver(tx, before, said);
      if (differences === null && words === null && passwordHash === undefined)
        return { member: before, isSignedOut: false };

      const after = { ...before, ...differences?.after };
      await update(tx, after, { passwordHash, now: ctx.clock.now() });
      const isSignedOut = after.disabled || passwordHash !== undefined;
      if (isSignedOut) await endTokens(tx, userId);
      else if (after.phone !== before.phone) await endConsoleOfMember(tx, userId);
      await audit(tx, {
        action: actionOf(before.disabled, after.disabled),
        target: `member:${userId}`,
        tenantId,
        before: { ...differences?.before, ...words?.before },
        after: { ...differences?.after, ...words?.after, ...(passwordHash !== undefined && { password: "changed" }) },
      });
      return { member: after, isSignedOut };
    });
    ctx.memberTokens.forget(userId);
    if (isSignedOut) ctx.live.signedOut(userId);
    return member;
  },
};

/**
 * Whatever an operator says counts from then on, also where a directory has said the same before: the number is the member's,
 * and only operators enable whom they have disabled. Null when nothing of that is new.
 */
async function takeOver(
  tx: Db,
  { userId, disabled }: DirectoryMember,
  said: Pick<UpdateMemberBody, "phone" | "disabled">,
): Promise<ReturnType<typeof differencesOf<WhoseWord>>> {
  const before = await findWhoseWord(tx, userId);
  const after = { ...before };
  if (said.phone !== undefined && before.vouchedBy !== null) after.vouchedBy = "OPERATOR";
  if (said.disabled && disabled && before.disabledBy !== null) after.disabledBy = "OPERATOR";
  if (said.phone !== undefined) await markNumberOfOperator(tx, userId);
  if (said.disabled) await markDisabledBy(tx, userId, "OPERATOR");
  return differencesOf(before, after);
}

function actionOf(wasDisabled: boolean, isDisabled: boolean): string {
  if (wasDisabled === isDisabled) return "member.update";
  return isDisabled ? "member.disable" : "member.enable";
}
