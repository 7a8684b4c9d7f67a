import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { exportVisitor as exportPage } from "../../../domain/customer-service/export-visitor.ts";
import { findVisitor } from "../../../domain/customer-service/visitor-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { type ExportParts, exportCall } from "../../common/console/export-call.ts";
import { checkCustomerApp } from "./customer-app.ts";

/** POST apps/{appId}/visitors/{visitorId}/export: a page of all that is stored about a visitor. */
export const exportVisitor: ConsoleRoute<typeof CONSOLE_ENDPOINTS.exportVisitor, ExportParts> = {
  endpoint: CONSOLE_ENDPOINTS.exportVisitor,
  async handle(ctx, { developer, app, params, body, audit }) {
    checkCustomerApp(app, "visitors");
    const { storage } = ctx;
    const { appId, tenantId } = app;
    const { visitorId } = params;
    if ((await findVisitor(storage.db, appId, visitorId)) === null) throw new ConsoleError("APP_VISITOR_NOT_FOUND");
    const target = `visitor:${visitorId}`;
    const change = { action: "visitor.export", target, appId, tenantId, before: null, after: null };
    return await exportCall(ctx, {
      owner: { developerId: developer.developerId, target },
      cursor: body.cursor,
      begin: () => storage.write((tx) => audit(tx, change)),
      read: (place) => exportPage(storage.lists, visitorId, place),
    });
  },
};
