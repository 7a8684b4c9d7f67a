import { ApiError, type Login } from "@portico/protocol";
import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { accountNameOf } from "../../../domain/accounts/member-password.ts";
import { MEMBER_REFRESH_MS, startMemberSession } from "../../../domain/accounts/member-session.ts";
import { findForLogin } from "../../../domain/directory/member-store.ts";
import { addressBlock } from "../../../platform/http/client-address.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import { MEMBER_PICTURES, setPictureCookie } from "../../common/picture-cookie.ts";
import type { MemberSignInParts } from "../parts.ts";
import { REFRESH_COOKIE } from "./refresh-cookie.ts";

/** Whether the tenant's members sign in with its provider alone. */
function isSignedInElsewhere({ oidc }: MemberSignInParts, tenantId: string): boolean {
  const settings = oidc.members?.settings;
  return settings?.only === true && settings.tenants.includes(tenantId);
}

/** POST auth/login: begins a login, with an access token and the refresh cookie. */
export const login: ClientRoute<typeof CLIENT_ENDPOINTS.login, MemberSignInParts> = {
  endpoint: CLIENT_ENDPOINTS.login,
  async handle(ctx, { body, address, origin, setCookie }): Promise<Login> {
    const { tenantId, username, password } = body;
    if (isSignedInElsewhere(ctx, tenantId)) throw new ApiError("PASSWORD_SIGN_IN_OFF");
    const caller = addressBlock(address);
    const attempt = { lane: "members", account: accountNameOf(body), caller, password } as const;
    const found = await ctx.passwordSignIn.attempt(attempt, () => findForLogin(ctx.storage.db, tenantId, username));
    if (found === null) throw new ApiError("MEMBER_LOGIN_WRONG");
    const { passwordHash, ...user } = found;
    const given = await startMemberSession(ctx, user.userId, origin, passwordHash);
    if (given === null) throw new ApiError("MEMBER_LOGIN_WRONG");
    const { accessToken, expiresAt, refreshToken } = given;
    setCookie(REFRESH_COOKIE.holding(refreshToken, MEMBER_REFRESH_MS));
    setPictureCookie(ctx, MEMBER_PICTURES, { accessToken, expiresAt }, setCookie);
    return { accessToken, expiresAt, user };
  },
};
