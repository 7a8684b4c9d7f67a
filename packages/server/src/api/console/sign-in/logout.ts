import { endSession } from "../../../domain/accounts/developer-session.ts";
import { type ConsoleRoute, NO_CONTENT } from "../../common/console/console-route.ts";
import { NO_REFRESH_COOKIE, refreshTokenIn } from "./refresh-cookie.ts";

/** POST auth/logout: ends the login of the refresh cookie at once, everywhere; without a login nothing is left to end. */
export const logout: ConsoleRoute<never, never, typeof NO_CONTENT> = {
  method: "POST",
  url: "/auth/logout",
  summary: "End the login with its access tokens and its refresh cookie",
  access: "public",
  value: NO_CONTENT,
  async handle(ctx, { cookies, origin, reply }) {
    await endSession(ctx, refreshTokenIn(cookies), origin);
    reply.header("set-cookie", NO_REFRESH_COOKIE);
    return null;
  },
};
