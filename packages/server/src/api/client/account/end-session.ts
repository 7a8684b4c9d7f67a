import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { endMemberLogin } from "../../../domain/accounts/member-session.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import type { LiveParts } from "../../common/parts.ts";

/** DELETE sessions/{sessionId}: ends one of the member's logins with its streams, in all processes at once. */
export const endSession: ClientRoute<typeof CLIENT_ENDPOINTS.endSession, LiveParts> = {
  endpoint: CLIENT_ENDPOINTS.endSession,
  async handle(ctx, { member, params, audit }) {
    const { userId, tenantId } = member;
    await ctx.storage.write(async (tx) => {
      if (!(await endMemberLogin(tx, userId, params.sessionId))) return;
      const after = { session: params.sessionId };
      await audit(tx, { action: "member.sign-out", target: `member:${userId}`, tenantId, before: null, after });
    }, `logins of ${userId}`);
    ctx.live.signedOut(userId);
    return {};
  },
};
