import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import type { DeveloperSessionParts } from "../../../domain/accounts/developer-session.ts";
import { refreshSession } from "../../../domain/accounts/developer-session.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { refreshCookie, refreshTokenIn } from "./refresh-cookie.ts";

/** POST auth/refresh: exchanges the refresh cookie for an access token and a new cookie. */
export const refresh: ConsoleRoute<typeof CONSOLE_ENDPOINTS.refresh, DeveloperSessionParts> = {
  endpoint: CONSOLE_ENDPOINTS.refresh,
  async handle(ctx, { cookies, origin, reply }) {
    const session = await refreshSession(ctx, refreshTokenIn(cookies), origin);
    reply.header("set-cookie", refreshCookie(session.refreshToken, ctx.config.console.refreshTtlMs));
    return session.login;
  },
};
