import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import type { DeveloperSessionParts } from "../../../domain/accounts/developer-session.ts";
import { endSession } from "../../../domain/accounts/developer-session.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { REFRESH_COOKIE } from "./refresh-cookie.ts";
import { removeSessionCookies } from "./session-cookies.ts";

/** POST auth/logout: ends the login of the refresh cookie in all processes at once; without a login it does nothing. */
export const logout: ConsoleRoute<typeof CONSOLE_ENDPOINTS.logout, DeveloperSessionParts> = {
  endpoint: CONSOLE_ENDPOINTS.logout,
  async handle(ctx, { cookies, origin, reply }) {
    await endSession(ctx, REFRESH_COOKIE.tokenIn(cookies), origin);
    removeSessionCookies(reply);
    return null;
  },
};
