import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { latestEntryOf } from "../../../domain/audit/audit-store.ts";
import { ERASED_AFTER } from "../../../domain/audit/empty-entries.ts";
import { eraseTraces, forgetVisitor } from "../../../domain/customer-service/erase-visitor.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import type { DeskLiveParts } from "../parts.ts";
import { checkCustomerApp } from "./customer-app.ts";

const ACTION = "visitor.erase";

/**
 * POST apps/{appId}/visitors/{visitorId}/erase: at once nobody can act as the visitor any more; then what they have left is
 * removed. A call that was cut short, by a kill too, is completed by another.
 */
export const eraseVisitor: ConsoleRoute<typeof CONSOLE_ENDPOINTS.eraseVisitor, DeskLiveParts> = {
  endpoint: CONSOLE_ENDPOINTS.eraseVisitor,
  async handle(ctx, { app, params, audit }) {
    checkCustomerApp(app, "visitors");
    const { appId, tenantId } = app;
    const { visitorId } = params;
    const target = `visitor:${visitorId}`;
    const erasedBy = await ctx.storage.write(async (tx) => {
      const wasKnown = await forgetVisitor(tx, { appId, visitorId });
      if (wasKnown === null) throw new ConsoleError("APP_VISITOR_NOT_FOUND");
      if (wasKnown) await audit(tx, { action: ACTION, target, appId, tenantId, before: null, after: ERASED_AFTER });
      return await latestEntryOf(tx, { target, action: ACTION });
    });
    ctx.deskLive.visitorSignedOut(appId, visitorId);
    return await eraseTraces(ctx, { appId, visitorId }, erasedBy ?? 0);
  },
};
