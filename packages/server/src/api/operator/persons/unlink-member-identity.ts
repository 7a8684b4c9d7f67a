import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { endTokens } from "../../../domain/accounts/member-session.ts";
import type { MemberTokens } from "../../../domain/accounts/member-tokens.ts";
import { unlinkMemberIdentity as unlink } from "../../../domain/accounts/oidc/linked-identities.ts";
import { lockMember } from "../../../domain/directory/member-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import type { LiveParts } from "../../common/parts.ts";

interface UnlinkParts extends LiveParts {
  memberTokens: MemberTokens;
}

/**
 * DELETE operator/tenants/{tenantId}/members/{userId}/identities/{identityId}: whoever it is at the provider does not sign
 * in as the member any more, and is signed out with everybody else who has.
 */
export const unlinkMemberIdentity: ConsoleRoute<typeof OPERATOR_ENDPOINTS.unlinkMemberIdentity, UnlinkParts> = {
  endpoint: OPERATOR_ENDPOINTS.unlinkMemberIdentity,
  async handle(ctx, { audit, params }) {
    const { tenantId, userId, identityId } = params;
    await ctx.storage.write(async (tx) => {
      if ((await lockMember(tx, tenantId, userId)) === null) throw new ConsoleError("MEMBER_NOT_FOUND");
      const unlinked = await unlink(tx, userId, identityId);
      if (unlinked === null) throw new ConsoleError("IDENTITY_NOT_FOUND");
      await endTokens(tx, userId);
      const { issuer, subject } = unlinked;
      const target = `member:${userId}`;
      await audit(tx, { action: "member.unlink", target, tenantId, before: { issuer, subject }, after: null });
    });
    ctx.memberTokens.forget(userId);
    ctx.live.signedOut(userId);
    return null;
  },
};
