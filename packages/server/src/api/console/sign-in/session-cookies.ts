import type { FastifyReply } from "fastify";
import type { DeveloperSessionParts, Session } from "../../../domain/accounts/developer-session.ts";
import { DEVELOPER_PICTURES, setPictureCookie } from "../../common/picture-cookie.ts";
import { REFRESH_COOKIE } from "./refresh-cookie.ts";

/** Sets the cookies of a login that has begun or was renewed. */
export function setSessionCookies(
  ctx: DeveloperSessionParts,
  { login, refreshToken }: Session,
  reply: Pick<FastifyReply, "header">,
): void {
  const setCookie = (header: string) => void reply.header("set-cookie", header);
  setCookie(REFRESH_COOKIE.holding(refreshToken, ctx.config.console.refreshTtlMs));
  setPictureCookie(ctx, DEVELOPER_PICTURES, login, setCookie);
}

/** Removes the cookies of a login that has ended. */
export function removeSessionCookies(reply: Pick<FastifyReply, "header">): void {
  for (const cookie of [REFRESH_COOKIE, DEVELOPER_PICTURES]) reply.header("set-cookie", cookie.removed);
}
