import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { setStatus } from "../../../domain/applications/locked-app.ts";
import { checkNotBlank } from "../../common/console/app-profile.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { AppParts } from "../../common/console/console-parts.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { requireLockedApp } from "../../common/console/require-app.ts";
import { viewOperatorApp } from "./app-view.ts";

/** POST operator/apps/{appId}/disable: signed calls are refused from now on (docs/contract/applications.md#states). */
export const disableApp: ConsoleRoute<typeof OPERATOR_ENDPOINTS.disableApp, AppParts> = {
  endpoint: OPERATOR_ENDPOINTS.disableApp,
  async handle(ctx, { params: { appId }, body: { reason }, audit }) {
    checkNotBlank(reason, "reason");
    const view = await ctx.storage.write(async (tx) => {
      const { tenantId, status } = await requireLockedApp(tx, appId);
      if (status !== "ACTIVE") throw new ConsoleError("ONLY_ACTIVE_APPS_DISABLED");
      await setStatus(tx, appId, "DISABLED", reason);
      const after = { status: "DISABLED", reason };
      await audit(tx, { action: "app.disable", target: `app:${appId}`, appId, tenantId, before: { status }, after });
      return await viewOperatorApp(tx, appId);
    });
    ctx.apps.forget(appId);
    return view;
  },
};
