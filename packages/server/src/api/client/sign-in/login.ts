import { ApiError, type Login } from "@portico/protocol";
import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { issueToken } from "../../../domain/accounts/member-session.ts";
import { findForLogin } from "../../../domain/directory/member-store.ts";
import { addressBlock } from "../../../platform/http/client-address.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import type { MemberSignInParts } from "../parts.ts";

/** POST /api/client/v1/auth/login. */
export const login: ClientRoute<typeof CLIENT_ENDPOINTS.login, MemberSignInParts> = {
  endpoint: CLIENT_ENDPOINTS.login,
  async handle(ctx, { body, address }): Promise<Login> {
    const { tenantId, username, password } = body;
    const account = `${tenantId}\n${username}`;
    const caller = addressBlock(address);
    const found = await ctx.passwordSignIn.attempt({ lane: "members", account, caller, password }, () =>
      findForLogin(ctx.storage.db, tenantId, username),
    );
    if (found === null) throw new ApiError("MEMBER_LOGIN_WRONG");
    const { passwordHash, ...user } = found;
    const token = await issueToken(ctx, user.userId, passwordHash);
    if (token === null) throw new ApiError("MEMBER_LOGIN_WRONG");
    return { ...token, user };
  },
};
