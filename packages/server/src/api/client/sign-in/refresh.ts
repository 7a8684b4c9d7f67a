import { ApiError } from "@portico/protocol";
import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { MEMBER_REFRESH_MS, refreshMemberSession } from "../../../domain/accounts/member-session.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import { MEMBER_PICTURES, setPictureCookie } from "../../common/picture-cookie.ts";
import type { MemberSignOutParts } from "../parts.ts";
import { REFRESH_COOKIE } from "./refresh-cookie.ts";

/** POST auth/refresh: exchanges the refresh cookie for an access token and a new cookie. */
export const refresh: ClientRoute<typeof CLIENT_ENDPOINTS.refresh, MemberSignOutParts> = {
  endpoint: CLIENT_ENDPOINTS.refresh,
  async handle(ctx, { cookies, origin, setCookie }) {
    const outcome = await refreshMemberSession(ctx, REFRESH_COOKIE.tokenIn(cookies), origin);
    if (!("user" in outcome)) {
      if (outcome.ended !== null) ctx.live.signedOut(outcome.ended.userId);
      throw new ApiError("NOT_SIGNED_IN");
    }
    const { accessToken, expiresAt, refreshToken, user } = outcome;
    setCookie(REFRESH_COOKIE.holding(refreshToken, MEMBER_REFRESH_MS));
    setPictureCookie(ctx, MEMBER_PICTURES, { accessToken, expiresAt }, setCookie);
    return { accessToken, expiresAt, user };
  },
};
