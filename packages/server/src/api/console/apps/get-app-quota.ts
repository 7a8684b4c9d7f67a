import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import type { LimitParts } from "../../common/console/console-parts.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { requireQuota } from "../../common/console/require-app.ts";

/** GET apps/{appId}/quota (docs/contract/limits.md). */
export const getAppQuota: ConsoleRoute<typeof CONSOLE_ENDPOINTS.getAppQuota, LimitParts> = {
  endpoint: CONSOLE_ENDPOINTS.getAppQuota,
  async handle(ctx, { app }) {
    return await requireQuota(ctx, ctx.storage.db, app.appId);
  },
};
