import type { Config } from "../../platform/config/config.ts";
import { MEMBER_ACCESS_MS } from "../accounts/member-session.ts";
import { FLOW_LIFE_MS } from "../accounts/oidc/flow.ts";
import { MAX_SHARED_MS } from "../accounts/refresh-rotation.ts";

/**
 * How long what was given out under an earlier master key, and is not stored, may be used, in milliseconds: sign-ins at a
 * provider that were begun, refresh tokens that are given once more, and tickets for pictures.
 */
export function settleMsOf({ web, console }: Pick<Config, "web" | "console">): number {
  const tickets = web.imageProxy ? [MEMBER_ACCESS_MS, console.accessTokenTtlMs] : [];
  return Math.max(FLOW_LIFE_MS, MAX_SHARED_MS, ...tickets);
}
