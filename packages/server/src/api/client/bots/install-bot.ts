import { ApiError } from "@portico/protocol";
import { InstallationBodySchema, InstallationSchema } from "@portico/protocol/schemas";
import { findBotApp } from "../../../domain/applications/app-store.ts";
import { makeInstallation } from "../../../domain/applications/installations/change-installation.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import { checkInstallationTarget } from "./installation-access.ts";

/** POST /api/client/v1/installations: a member installs a bot; once installed, again changes nothing. */
export const installBot: ClientRoute<typeof InstallationBodySchema, never, typeof InstallationSchema> = {
  method: "POST",
  url: "/api/client/v1/installations",
  summary: "Install a bot in a group of the member's, or for the member",
  body: InstallationBodySchema,
  value: InstallationSchema,
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
