import { ConsoleVisitorListSchema, ConsoleVisitorsQuerySchema } from "@portico/protocol/schemas";
import { listVisitors } from "../../../domain/customer-service/visitor-lists.ts";
import { toVisitor } from "../../../domain/customer-service/visitor-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { checkCustomerApp } from "./customer-app.ts";

/** GET apps/{appId}/visitors, newest first. */
export const readVisitors: ConsoleRoute<never, typeof ConsoleVisitorsQuerySchema, typeof ConsoleVisitorListSchema> = {
  method: "GET",
  url: "/apps/:appId/visitors",
  summary: "List an application's visitors",
  access: "viewer",
  query: ConsoleVisitorsQuerySchema,
  value: ConsoleVisitorListSchema,
  async handle({ storage, clock }, { app, query }) {
    checkCustomerApp(app, "visitors");
    const { keyword = "", status, page = 1, pageSize = 20 } = query;
    const filter = { keyword, status, page, pageSize };
    const { rows, total } = await listVisitors(storage.lists, storage.dialect, app.appId, filter);
    const now = clock.now();
    return { items: rows.map((row) => toVisitor(row, now)), total, page, pageSize };
  },
};
