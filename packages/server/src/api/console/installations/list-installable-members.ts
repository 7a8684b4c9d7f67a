import { InstallableMembersQuerySchema, InstallableMembersSchema } from "@portico/protocol/schemas";
import { listInstallableMembers } from "../../../domain/applications/installations/installation-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET apps/{appId}/bot-installation-members: the active members who do not yet have the bot, by account. */
export const readInstallableMembers: ConsoleRoute<
  never,
  typeof InstallableMembersQuerySchema,
  typeof InstallableMembersSchema
> = {
  method: "GET",
  url: "/apps/:appId/bot-installation-members",
  summary: "List whom a bot can be installed for",
  access: "viewer",
  tenant: true,
  query: InstallableMembersQuerySchema,
  value: InstallableMembersSchema,
  async handle(ctx, call) {
    const { keyword = "", limit = 1_000 } = call.query;
    const place = { appId: call.app.appId, tenantId: call.tenantId };
    const { lists, dialect } = ctx.storage;
    return await listInstallableMembers(lists, dialect, place, { keyword, limit });
  },
};
