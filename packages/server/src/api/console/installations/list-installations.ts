import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { listInstallations as list } from "../../../domain/applications/installations/installation-list.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET apps/{appId}/bot-installations, in order of first installation. */
export const listInstallations: ConsoleRoute<typeof CONSOLE_ENDPOINTS.listInstallations> = {
  endpoint: CONSOLE_ENDPOINTS.listInstallations,
  async handle(ctx, call) {
    const { page = 1, pageSize = 20, ...filter } = call.query;
    const { lists } = ctx.storage;
    const { appId } = call.app;
    return { ...(await list(lists, appId, filter, { page, pageSize })), page, pageSize };
  },
};
