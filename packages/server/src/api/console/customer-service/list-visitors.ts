import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { listVisitors as list } from "../../../domain/customer-service/visitor-lists.ts";
import { toVisitor } from "../../../domain/customer-service/visitor-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { checkCustomerApp } from "./customer-app.ts";

/** GET apps/{appId}/visitors, newest first. */
export const listVisitors: ConsoleRoute<typeof CONSOLE_ENDPOINTS.listVisitors> = {
  endpoint: CONSOLE_ENDPOINTS.listVisitors,
  async handle({ storage, clock }, { app, query }) {
    checkCustomerApp(app, "visitors");
    const { keyword = "", status, page = 1, pageSize = 20 } = query;
    const filter = { keyword, status, page, pageSize };
    const { rows, total } = await list(storage.lists, storage.dialect, app.appId, filter);
    const now = clock.now();
    return { items: rows.map((row) => toVisitor(row, now)), total, page, pageSize };
  },
};
