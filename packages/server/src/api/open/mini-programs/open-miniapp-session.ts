import { randomBytes } from "node:crypto";
import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import { findOwnerId } from "../../../domain/applications/app-store.ts";
import { redeemCode } from "../../../domain/mini-programs/codes.ts";
import { identityOf } from "../../../domain/mini-programs/identity-store.ts";
import type { OpenRoute } from "../gate/open-route.ts";

/** How long a mini-program may use the answer before it asks for another code. */
const SESSION_LIFE_MS = 2 * 3_600_000;

/**
 * POST /api/open/v2/miniapp/session: exchanges a login code, once, for the member's identity in the calling application
 * (docs/contract/mini-programs.md). The application manages the session: no later call refers to it, so neither the
 * session nor its key is stored.
 */
export const openMiniappSession: OpenRoute<typeof OPEN_ENDPOINTS.openMiniappSession> = {
  endpoint: OPEN_ENDPOINTS.openMiniappSession,
  async handle(_ctx, tx, { app, body, now }) {
    const userId = await redeemCode(tx, app, body.code, now);
    const ownerId = await findOwnerId(tx, app.appId);
    const { openId, unionId } = await identityOf(tx, { appId: app.appId, ownerId }, userId);
    const sessionKey = randomBytes(32).toString("base64url");
    return { openId, unionId, sessionKey, expiresAt: now + SESSION_LIFE_MS };
  },
};
