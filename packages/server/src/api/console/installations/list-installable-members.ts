import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { listInstallableMembers as list } from "../../../domain/applications/installations/installation-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET apps/{appId}/bot-installation-members: the enabled members who do not have the bot, by account. */
export const listInstallableMembers: ConsoleRoute<typeof CONSOLE_ENDPOINTS.listInstallableMembers> = {
  endpoint: CONSOLE_ENDPOINTS.listInstallableMembers,
  async handle(ctx, call) {
    const { keyword = "", limit = 1_000 } = call.query;
    const place = { appId: call.app.appId, tenantId: call.tenantId };
    const { lists, dialect } = ctx.storage;
    return await list(lists, dialect, place, { keyword, limit });
  },
};
