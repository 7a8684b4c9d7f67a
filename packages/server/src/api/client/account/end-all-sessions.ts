import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { endTokens } from "../../../domain/accounts/member-session.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import type { LiveParts } from "../../common/parts.ts";
import { MEMBER_PICTURES } from "../../common/picture-cookie.ts";
import { REFRESH_COOKIE } from "../sign-in/refresh-cookie.ts";

/** DELETE sessions: ends all of the member's logins with their streams, in all processes at once. */
export const endAllSessions: ClientRoute<typeof CLIENT_ENDPOINTS.endAllSessions, LiveParts> = {
  endpoint: CLIENT_ENDPOINTS.endAllSessions,
  async handle(ctx, { member, setCookie, audit }) {
    const { userId, tenantId } = member;
    await ctx.storage.write(async (tx) => {
      await endTokens(tx, userId);
      const target = `member:${userId}`;
      await audit(tx, { action: "member.sign-out-everywhere", target, tenantId, before: null, after: null });
    }, `logins of ${userId}`);
    ctx.live.signedOut(userId);
    setCookie(REFRESH_COOKIE.removed);
    setCookie(MEMBER_PICTURES.removed);
    return {};
  },
};
