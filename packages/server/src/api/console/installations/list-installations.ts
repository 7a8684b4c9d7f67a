import { ConsoleInstallationListSchema, ConsoleInstallationsQuerySchema } from "@portico/protocol/schemas";
import { listInstallations } from "../../../domain/applications/installations/installation-list.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET apps/{appId}/bot-installations, in the order in which they were made. */
export const readInstallations: ConsoleRoute<
  never,
  typeof ConsoleInstallationsQuerySchema,
  typeof ConsoleInstallationListSchema
> = {
  method: "GET",
  url: "/apps/:appId/bot-installations",
  summary: "List where a bot is or was installed",
  access: "viewer",
  tenant: true,
  query: ConsoleInstallationsQuerySchema,
  value: ConsoleInstallationListSchema,
  async handle(ctx, call) {
    const { page = 1, pageSize = 20, ...filter } = call.query;
    const { lists } = ctx.storage;
    const { appId } = call.app;
    return { ...(await listInstallations(lists, appId, filter, { page, pageSize })), page, pageSize };
  },
};
