import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { listBotApps } from "../../../domain/applications/app-store.ts";
import { listInstalledAt } from "../../../domain/applications/installations/installation-store.ts";
import { listGroupsOf } from "../../../domain/directory/group-store.ts";
import type { ClientRoute } from "../../common/member-route.ts";

/** GET /api/client/v1/bots: the bots that the member may install, and which of the member's conversations have them. */
export const listBots: ClientRoute<typeof CLIENT_ENDPOINTS.listBots> = {
  endpoint: CLIENT_ENDPOINTS.listBots,
  async handle(ctx, { member }) {
    const { db } = ctx.storage;
    const bots = await listBotApps(db, member.tenantId);
    const groups = (await listGroupsOf(db, member.userId)).map(({ groupId }) => groupId);
    const installed = Map.groupBy(await listInstalledAt(db, member.userId, groups), ({ appId }) => appId);
    const items = bots.map((bot) => ({
      ...bot,
      installations: (installed.get(bot.appId) ?? []).map(({ targetType, targetId }) => ({ targetType, targetId })),
    }));
    return { items };
  },
};
