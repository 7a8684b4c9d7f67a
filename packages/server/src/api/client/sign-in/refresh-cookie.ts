import { RefreshCookie } from "../../common/refresh-cookie.ts";

/** Holds the refresh token of a member's login (docs/contract/client.md#signing-in). */
export const REFRESH_COOKIE = new RefreshCookie("portico_member_refresh", "/api/client/v1/auth");
