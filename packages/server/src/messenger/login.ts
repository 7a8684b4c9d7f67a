import { ApiError, type Login } from "@portico/protocol";
import { LoginBodySchema, LoginSchema } from "@portico/protocol/schemas";
import { findForLogin } from "../directory/member-store.ts";
import type { ClientRoute } from "./client-route.ts";
import { issueToken } from "./session.ts";

/** POST /api/client/v1/auth/login (design, section 10). */
export const login: ClientRoute<typeof LoginBodySchema, never, typeof LoginSchema> = {
  method: "POST",
  url: "/api/client/v1/auth/login",
  summary: "Sign a member in",
  signedIn: false,
  body: LoginBodySchema,
  value: LoginSchema,
  async handle(ctx, { body }): Promise<Login> {
    const account = `${body.tenantId}\n${body.username}`;
    const found = await ctx.loginThrottle.attempt(account, ctx.clock.now(), async () => {
      const member = await findForLogin(ctx.storage.db, body.tenantId, body.username);
      return (await ctx.passwords.verify(body.password, member?.passwordHash ?? null)) ? member : null;
    });
    if (found === null) throw new ApiError("UNAUTHENTICATED", "账号或密码错误");
    const { passwordHash, ...user } = found;
    const token = await issueToken(ctx, user.userId, passwordHash);
    if (token === null) throw new ApiError("UNAUTHENTICATED", "账号或密码错误");
    return { ...token, user };
  },
};
