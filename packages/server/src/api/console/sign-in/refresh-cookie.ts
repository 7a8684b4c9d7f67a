import { CONSOLE_BASE } from "../../common/console/console-route.ts";
import { RefreshCookie } from "../../common/refresh-cookie.ts";

/** Holds the refresh token of a developer's login (docs/contract/console.md#signing-in). */
export const REFRESH_COOKIE = new RefreshCookie("open_refresh_token", `${CONSOLE_BASE}/auth`);
