import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { setQuota } from "../../../domain/applications/app-quota.ts";
import type { AppParts, LimitParts } from "../../common/console/console-parts.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { requireLockedApp, requireQuota } from "../../common/console/require-app.ts";

/** PUT operator/apps/{appId}/quota: null means the configured default (docs/contract/limits.md). */
export const updateQuota: ConsoleRoute<typeof OPERATOR_ENDPOINTS.updateQuota, AppParts & LimitParts> = {
  endpoint: OPERATOR_ENDPOINTS.updateQuota,
  async handle(ctx, { params: { appId }, body, audit }) {
    const quota = await ctx.storage.write(async (tx) => {
      const { tenantId, ...app } = await requireLockedApp(tx, appId);
      const before = { perMinute: app.perMinute, perDay: app.perDay, concurrent: app.concurrent };
      const after = { perMinute: body.perMinute, perDay: body.perDay, concurrent: body.concurrent };
      if (JSON.stringify(before) !== JSON.stringify(after)) {
        await setQuota(tx, appId, after);
        await audit(tx, { action: "quota.set", target: `app:${appId}`, appId, tenantId, before, after });
      }
      return await requireQuota(ctx, tx, appId);
    });
    ctx.apps.forget(appId);
    return quota;
  },
};
