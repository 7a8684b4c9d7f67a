import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { endOtherTokens } from "../../../domain/accounts/member-session.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import type { LiveParts } from "../../common/parts.ts";

/** POST sessions/end-others: ends all of the member's logins but this one, with their streams, in all processes at once. */
export const endOtherSessions: ClientRoute<typeof CLIENT_ENDPOINTS.endOtherSessions, LiveParts> = {
  endpoint: CLIENT_ENDPOINTS.endOtherSessions,
  async handle(ctx, { member, accessToken, audit }) {
    const { userId, tenantId } = member;
    await ctx.storage.write(async (tx) => {
      await endOtherTokens(tx, userId, accessToken);
      const target = `member:${userId}`;
      await audit(tx, { action: "member.sign-out-elsewhere", target, tenantId, before: null, after: null });
    }, `logins of ${userId}`);
    ctx.live.signedOut(userId);
    return {};
  },
};
