import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { endMemberSession } from "../../../domain/accounts/member-session.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import { MEMBER_PICTURES } from "../../common/picture-cookie.ts";
import type { MemberSignOutParts } from "../parts.ts";
import { REFRESH_COOKIE } from "./refresh-cookie.ts";

/** POST auth/logout: ends the login of the refresh cookie in all processes; without a login it does nothing. */
export const logout: ClientRoute<typeof CLIENT_ENDPOINTS.logout, MemberSignOutParts> = {
  endpoint: CLIENT_ENDPOINTS.logout,
  async handle(ctx, { cookies, setCookie }) {
    const ended = await endMemberSession(ctx, REFRESH_COOKIE.tokenIn(cookies));
    if (ended !== null) ctx.live.signedOut(ended.userId);
    setCookie(REFRESH_COOKIE.removed);
    setCookie(MEMBER_PICTURES.removed);
    return {};
  },
};
