import { ApiError } from "@portico/protocol";
import { ConsoleLoginBodySchema, ConsoleLoginSchema } from "@portico/protocol/schemas";
import type { ConsoleRoute } from "./console-route.ts";
import { findDeveloperByPhone } from "./login-store.ts";
import { refreshCookie } from "./refresh-cookie.ts";
import { startSession } from "./session.ts";

/** POST auth/login (spec.md, "Console authentication"). */
export const login: ConsoleRoute<typeof ConsoleLoginBodySchema, never, typeof ConsoleLoginSchema> = {
  method: "POST",
  url: "/auth/login",
  summary: "Log a developer in",
  signedIn: false,
  body: ConsoleLoginBodySchema,
  value: ConsoleLoginSchema,
  async handle(ctx, { body, reply }) {
    const { channelId, phone, password } = body;
    // No member's account looks like this.
    const account = JSON.stringify(["console", channelId, phone]);
    ctx.loginThrottle.begin(account, ctx.clock.now());
    const found = await findDeveloperByPhone(ctx.storage.db, channelId, phone);
    if (!(await ctx.passwords.verify(password, found?.passwordHash ?? null)) || found === null) {
      throw new ApiError("UNAUTHENTICATED", "手机号或密码错误");
    }
    ctx.loginThrottle.succeeded(account);
    const session = await startSession(ctx, found.developerId);
    reply.header("set-cookie", refreshCookie(session.refreshToken, ctx.config.console.refreshTtlMs));
    return session.login;
  },
};
