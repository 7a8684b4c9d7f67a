import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { exportVisitor as exportPage } from "../../../domain/customer-service/export-visitor.ts";
import { findVisitor } from "../../../domain/customer-service/visitor-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { checkCustomerApp } from "./customer-app.ts";

/** POST apps/{appId}/visitors/{visitorId}/export: a page of all that is stored about a visitor. */
export const exportVisitor: ConsoleRoute<typeof CONSOLE_ENDPOINTS.exportVisitor> = {
  endpoint: CONSOLE_ENDPOINTS.exportVisitor,
  async handle({ storage }, { app, params, body, audit }) {
    checkCustomerApp(app, "visitors");
    const { appId, tenantId } = app;
    const { visitorId } = params;
    if ((await findVisitor(storage.db, appId, visitorId)) === null) throw new ConsoleError("APP_VISITOR_NOT_FOUND");
    const page = await exportPage(storage.lists, visitorId, body.cursor);
    if (body.cursor === undefined) {
      const change = {
        action: "visitor.export",
        target: `visitor:${visitorId}`,
        appId,
        tenantId,
        before: null,
        after: null,
      };
      await storage.write((tx) => audit(tx, change));
    }
    return page;
  },
};
