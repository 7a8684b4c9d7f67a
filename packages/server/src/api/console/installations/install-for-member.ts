import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { findBotApp } from "../../../domain/applications/app-store.ts";
import { makeInstallation } from "../../../domain/applications/installations/change-installation.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { requireActiveMember } from "../../common/console/require-member.ts";
import type { LiveParts } from "../../common/parts.ts";

/** POST apps/{appId}/bot-installations: installs the bot for a member. Repeating it changes nothing. */
export const installForMember: ConsoleRoute<typeof CONSOLE_ENDPOINTS.installForMember, LiveParts> = {
  endpoint: CONSOLE_ENDPOINTS.installForMember,
  async handle(ctx, call) {
    const { app, tenantId, body, audit } = call;
    const installation = await ctx.storage.write(async (tx) => {
      await checkInstallable(tx, app.appId);
      const { userId } = await requireActiveMember(tx, tenantId, body.username);
      const place = { appId: app.appId, targetType: "USER", targetId: userId } as const;
      return await makeInstallation(tx, place, { tenantId, audit }, ctx.clock.now());
    });
    ctx.live.conversationsChanged(installation.targetId);
    return installation;
  },
};

/** @throws ConsoleError 409 unless the application is an ACTIVE BOT. */
async function checkInstallable(db: Db, appId: string): Promise<void> {
  const bot = await findBotApp(db, appId);
  if (bot === null) throw new ConsoleError("ONLY_BOTS_INSTALLED");
  if (bot.status !== "ACTIVE") throw new ConsoleError("INSTALLED_APP_NOT_ACTIVE");
}
