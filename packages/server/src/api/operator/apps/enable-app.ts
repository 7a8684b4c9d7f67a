import { OperatorAppSchema } from "@portico/protocol/schemas";
import { setStatus } from "../../../domain/applications/held-app.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { holdKnownApp } from "../../common/console/known-app.ts";
import { viewOperatorApp } from "./app-view.ts";

/** POST operator/apps/{appId}/enable. */
export const enableApp: ConsoleRoute<never, never, typeof OperatorAppSchema> = {
  method: "POST",
  url: "/operator/apps/:appId/enable",
  summary: "Enable a DISABLED application",
  access: "operator",
  value: OperatorAppSchema,
  async handle(ctx, { params: { appId = "" }, audit }) {
    const view = await ctx.storage.write(async (tx) => {
      const { tenantId, status } = await holdKnownApp(tx, appId);
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
