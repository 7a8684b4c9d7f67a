import { AgentListSchema } from "@portico/protocol/schemas";
import { listAgents } from "../../../domain/customer-service/agent-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { checkCustomerApp } from "./customer-app.ts";

/** GET apps/{appId}/agents, by account. */
export const readAgents: ConsoleRoute<never, never, typeof AgentListSchema> = {
  method: "GET",
  url: "/apps/:appId/agents",
  summary: "List who serves an application's visitors",
  access: "viewer",
  tenant: true,
  value: AgentListSchema,
  async handle(ctx, { app }) {
    checkCustomerApp(app, "agents");
    return await listAgents(ctx.storage.db, app.appId);
  },
};
