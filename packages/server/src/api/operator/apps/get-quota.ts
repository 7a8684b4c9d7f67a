import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import type { LimitParts } from "../../common/console/console-parts.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { requireQuota } from "../../common/console/require-app.ts";

/** GET operator/apps/{appId}/quota (docs/contract/limits.md). */
export const getQuota: ConsoleRoute<typeof OPERATOR_ENDPOINTS.getQuota, LimitParts> = {
  endpoint: OPERATOR_ENDPOINTS.getQuota,
  async handle(ctx, { params: { appId } }) {
    return await requireQuota(ctx, ctx.storage.db, appId);
  },
};
