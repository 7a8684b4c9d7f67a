import { CONSOLE_BASE } from "../../common/console/console-route.ts";
import { TokenCookie } from "../../common/token-cookie.ts";

/** Holds the refresh token of a developer's login (docs/contract/console.md#signing-in). */
export const REFRESH_COOKIE = new TokenCookie("open_refresh_token", `${CONSOLE_BASE}/auth`);
