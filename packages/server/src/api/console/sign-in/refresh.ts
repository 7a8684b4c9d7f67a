import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import type { DeveloperSessionParts } from "../../../domain/accounts/developer-session.ts";
import { refreshSession } from "../../../domain/accounts/developer-session.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { REFRESH_COOKIE } from "./refresh-cookie.ts";
import { setSessionCookies } from "./session-cookies.ts";

/** POST auth/refresh: exchanges the refresh cookie for an access token and a new cookie. */
export const refresh: ConsoleRoute<typeof CONSOLE_ENDPOINTS.refresh, DeveloperSessionParts> = {
  endpoint: CONSOLE_ENDPOINTS.refresh,
  async handle(ctx, { cookies, origin, reply }) {
    const session = await refreshSession(ctx, REFRESH_COOKIE.tokenIn(cookies), origin);
    setSessionCookies(ctx, session, reply);
    return session.login;
  },
};
