import { TokenCookie } from "../../common/token-cookie.ts";

/** Holds the refresh token of a member's login (docs/contract/client.md#signing-in). */
export const REFRESH_COOKIE = new TokenCookie("portico_member_refresh", "/api/client/v1/auth");
