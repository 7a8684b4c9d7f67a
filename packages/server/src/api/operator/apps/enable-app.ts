import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { setStatus } from "../../../domain/applications/locked-app.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { AppParts } from "../../common/console/console-parts.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { requireLockedApp } from "../../common/console/require-app.ts";
import { viewOperatorApp } from "./app-view.ts";

/** POST operator/apps/{appId}/enable. */
export const enableApp: ConsoleRoute<typeof OPERATOR_ENDPOINTS.enableApp, AppParts> = {
  endpoint: OPERATOR_ENDPOINTS.enableApp,
  async handle(ctx, { params: { appId }, audit }) {
    const view = await ctx.storage.write(async (tx) => {
      const { tenantId, status } = await requireLockedApp(tx, appId);
      if (status !== "DISABLED") throw new ConsoleError("ONLY_DISABLED_APPS_ENABLED");
      await setStatus(tx, appId, "ACTIVE");
      const after = { status: "ACTIVE" };
      await audit(tx, { action: "app.enable", target: `app:${appId}`, appId, tenantId, before: { status }, after });
      return await viewOperatorApp(tx, appId);
    });
    ctx.apps.forget(appId);
    return view;
  },
};
