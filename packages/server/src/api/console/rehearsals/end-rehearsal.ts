import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { findRehearsal, setRehearsal } from "../../../domain/applications/rehearsal-store.ts";
import type { AppParts } from "../../common/console/console-parts.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { requireLockedApp } from "../../common/console/require-app.ts";

/** DELETE apps/{appId}/rehearsal: succeeds also when none goes on. */
export const endRehearsal: ConsoleRoute<typeof CONSOLE_ENDPOINTS.endRehearsal, AppParts> = {
  endpoint: CONSOLE_ENDPOINTS.endRehearsal,
  async handle(ctx, { app: { appId }, audit }) {
    await ctx.storage.write(async (tx) => {
      const { tenantId } = await requireLockedApp(tx, appId);
      const before = await findRehearsal(tx, appId, ctx.clock.now());
      await setRehearsal(tx, appId, null);
      if (before === null) return;
      await audit(tx, { action: "rehearsal.end", target: `app:${appId}`, appId, tenantId, before, after: null });
    });
    ctx.apps.forget(appId);
    return null;
  },
};
