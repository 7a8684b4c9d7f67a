import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import type { OpenRoute } from "../gate/open-route.ts";

/** GET /api/open/v2/bot/apps: the calling application (docs/contract/messages.md#the-calling-application). */
export const listApps: OpenRoute<typeof OPEN_ENDPOINTS.listApps> = {
  endpoint: OPEN_ENDPOINTS.listApps,
  async handle(_ctx, _db, { app }) {
    const { appId, type, status, displayName, avatar, scopes } = app;
    return { items: [{ appId, type, status, displayName, avatar, scopes: [...scopes].sort() }] };
  },
};
