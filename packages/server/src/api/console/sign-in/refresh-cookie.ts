import { CONSOLE_BASE } from "../../common/console/console-route.ts";

/** The cookie with the refresh token (docs/contract/console.md#signing-in). */
const NAME = "open_refresh_token";
const ATTRIBUTES = `HttpOnly; Secure; SameSite=Strict; Path=${CONSOLE_BASE}/auth`;
const VALUE = new RegExp(`(?:^|;)\\s*${NAME}=([^;\\s]*)`, "g");

/** A Set-Cookie header that stores a refresh token for `lifeMs`, not readable by scripts. */
export function refreshCookie(token: string, lifeMs: number): string {
  return `${NAME}=${token}; Max-Age=${Math.floor(lifeMs / 1_000)}; ${ATTRIBUTES}`;
}

/** A Set-Cookie header that removes it. */
export const NO_REFRESH_COOKIE = `${NAME}=; Max-Age=0; ${ATTRIBUTES}`;

/**
 * The refresh token in a Cookie header; empty when there is none. Several count as none: another host of the same
 * domain can set a second cookie, and the two cannot be distinguished.
 */
export function refreshTokenIn(cookies: string): string {
  const [found, another] = cookies.matchAll(VALUE);
  return another === undefined ? (found?.[1] ?? "") : "";
}
