import { AppListSchema } from "@portico/protocol/schemas";
import type { OpenRoute } from "../gate/open-route.ts";

/** GET /api/open/v2/bot/apps: the calling application (docs/contract/messages.md#the-calling-application). */
export const listApps: OpenRoute<never, never, typeof AppListSchema> = {
  method: "GET",
  url: "/api/open/v2/bot/apps",
  summary: "Show the calling application",
  scope: "bot.installation.read",
  value: AppListSchema,
  async handle(_ctx, _db, { app }) {
    const { appId, type, status, displayName, avatar, scopes } = app;
    return { items: [{ appId, type, status, displayName, avatar, scopes: [...scopes].sort() }] };
  },
};
