import { ConsoleLoginSchema } from "@portico/protocol/schemas";
import { refreshSession } from "../../../domain/accounts/developer-session.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { refreshCookie, refreshTokenIn } from "./refresh-cookie.ts";

/** POST auth/refresh: a new access token for the refresh cookie, and a new cookie. */
export const refresh: ConsoleRoute<never, never, typeof ConsoleLoginSchema> = {
  method: "POST",
  url: "/auth/refresh",
  summary: "Renew the access token and the refresh cookie",
  access: "public",
  value: ConsoleLoginSchema,
  async handle(ctx, { cookies, origin, reply }) {
    const session = await refreshSession(ctx, refreshTokenIn(cookies), origin);
    reply.header("set-cookie", refreshCookie(session.refreshToken, ctx.config.console.refreshTtlMs));
    return session.login;
  },
};
