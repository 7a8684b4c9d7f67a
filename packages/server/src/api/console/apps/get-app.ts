import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import type { LimitParts } from "../../common/console/console-parts.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { getAppDetails, viewApp } from "../../common/console/require-app.ts";

/** GET apps/{appId}. */
export const getApp: ConsoleRoute<typeof CONSOLE_ENDPOINTS.getApp, LimitParts> = {
  endpoint: CONSOLE_ENDPOINTS.getApp,
  async handle(ctx, { app }) {
    return { ...(await viewApp(ctx.storage.db, app.appId)), ...(await getAppDetails(ctx, app)) };
  },
};
