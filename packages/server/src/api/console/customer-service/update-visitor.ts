import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { endVisitorAccess } from "../../../domain/customer-service/visitor-access.ts";
import { findVisitor, setVisitorStatus, toVisitor } from "../../../domain/customer-service/visitor-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import type { DeskLiveParts } from "../parts.ts";
import { checkCustomerApp } from "./customer-app.ts";

/**
 * PATCH apps/{appId}/visitors/{visitorId}: disables a visitor, which ends all tokens and streams, or enables one, which
 * does not restore them.
 */
export const updateVisitor: ConsoleRoute<typeof CONSOLE_ENDPOINTS.updateVisitor, DeskLiveParts> = {
  endpoint: CONSOLE_ENDPOINTS.updateVisitor,
  async handle(ctx, { app, params, body, audit }) {
    checkCustomerApp(app, "visitors");
    const { appId, tenantId } = app;
    const { visitorId } = params;
    const status = body.status === 0 ? 0 : 1;
    const { visitor, isChanged } = await ctx.storage.write(async (tx) => {
      const isChanged = await setVisitorStatus(tx, appId, visitorId, status);
      const visitor = await findVisitor(tx, appId, visitorId);
      if (visitor === null) throw new ConsoleError("APP_VISITOR_NOT_FOUND");
      if (isChanged) {
        await endVisitorAccess(tx, visitorId, status);
        await audit(tx, {
          action: status === 0 ? "visitor.disable" : "visitor.enable",
          target: `visitor:${visitorId}`,
          appId,
          tenantId,
          before: { status: 1 - status },
          after: { status },
        });
      }
      return { visitor, isChanged };
    });
    if (isChanged && status === 0) ctx.deskLive.visitorSignedOut(appId, visitorId);
    return toVisitor(visitor, ctx.clock.now());
  },
};
