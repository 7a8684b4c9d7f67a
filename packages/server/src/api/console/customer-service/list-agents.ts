import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { listAgents as list } from "../../../domain/customer-service/agent-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { checkCustomerApp } from "./customer-app.ts";

/** GET apps/{appId}/agents, by account. */
export const listAgents: ConsoleRoute<typeof CONSOLE_ENDPOINTS.listAgents> = {
  endpoint: CONSOLE_ENDPOINTS.listAgents,
  async handle(ctx, { app }) {
    checkCustomerApp(app, "agents");
    return await list(ctx.storage.db, app.appId);
  },
};
