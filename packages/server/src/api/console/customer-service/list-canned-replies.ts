import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { countReplies, pageOfReplies } from "../../../domain/customer-service/canned-reply-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { checkCustomerApp } from "./customer-app.ts";

/** GET apps/{appId}/canned-replies, by shortcut. */
export const listCannedReplies: ConsoleRoute<typeof CONSOLE_ENDPOINTS.listCannedReplies> = {
  endpoint: CONSOLE_ENDPOINTS.listCannedReplies,
  async handle({ storage }, { app, query }) {
    checkCustomerApp(app, "cannedReplies");
    const { page = 1, pageSize = 20 } = query;
    const { total } = await countReplies(storage.lists, app.appId);
    return { items: await pageOfReplies(storage.lists, app.appId, { page, pageSize }), total, page, pageSize };
  },
};
