import { CONSOLE_BASE } from "../../common/console/console-route.ts";

/** The cookie that holds the refresh token (docs/contract/console.md#signing-in). */
const NAME = "open_refresh_token";
const ATTRIBUTES = `HttpOnly; Secure; SameSite=Strict; Path=${CONSOLE_BASE}/auth`;
const VALUE = new RegExp(`(?:^|;)\\s*${NAME}=([^;\\s]*)`, "g");

/** A Set-Cookie header that keeps a refresh token for `lifeMs`, out of reach of any script. */
export function refreshCookie(token: string, lifeMs: number): string {
  return `${NAME}=${token}; Max-Age=${Math.floor(lifeMs / 1_000)}; ${ATTRIBUTES}`;
}

/** A Set-Cookie header that removes it. */
export const NO_REFRESH_COOKIE = `${NAME}=; Max-Age=0; ${ATTRIBUTES}`;

/**
 * The refresh token of a Cookie header; empty when it holds none. Several are none: a page of a neighbouring host can plant a
 * second one, and nothing tells which is ours.
 */
export function refreshTokenIn(cookies: string): string {
  const [found, another] = cookies.matchAll(VALUE);
  return another === undefined ? (found?.[1] ?? "") : "";
}
