import { ApiError } from "@portico/protocol";
import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { endInstallation } from "../../../domain/applications/installations/change-installation.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import { checkInstallationTarget } from "./installation-access.ts";

/** DELETE /api/client/v1/installations, with the same body. Repeating it changes nothing. */
export const uninstallBot: ClientRoute<typeof CLIENT_ENDPOINTS.uninstallBot> = {
  endpoint: CLIENT_ENDPOINTS.uninstallBot,
  handle(ctx, { member, body, audit }) {
    return ctx.storage.write(async (tx) => {
      await checkInstallationTarget(tx, member, body);
      const installation = await endInstallation(tx, body, { tenantId: member.tenantId, audit });
      if (installation === null) throw new ApiError("BOT_NOT_AT_TARGET");
      return installation;
    });
  },
};
