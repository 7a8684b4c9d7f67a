import { ApiError } from "@portico/protocol";
import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { findBotApp } from "../../../domain/applications/app-store.ts";
import { makeInstallation } from "../../../domain/applications/installations/change-installation.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import type { LiveParts } from "../../common/parts.ts";
import { checkInstallationTarget } from "./installation-access.ts";

/** POST /api/client/v1/installations: a member installs a bot. Repeating it changes nothing. */
export const installBot: ClientRoute<typeof CLIENT_ENDPOINTS.installBot, LiveParts> = {
  endpoint: CLIENT_ENDPOINTS.installBot,
  async handle(ctx, { member, body, audit }) {
    const installation = await ctx.storage.write(async (tx) => {
      await checkInstallationTarget(tx, member, body);
      const app = await findBotApp(tx, body.appId);
      if (app?.tenantId !== member.tenantId || app.status !== "ACTIVE") {
        throw new ApiError("BOT_UNAVAILABLE");
      }
      return await makeInstallation(tx, body, { tenantId: app.tenantId, audit }, ctx.clock.now());
    });
    if (body.targetType === "USER") ctx.live.conversationsChanged(body.targetId);
    return installation;
  },
};
