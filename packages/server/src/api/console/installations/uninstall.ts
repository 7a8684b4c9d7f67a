import { ApiError, fault, type Uninstall } from "@portico/protocol";
import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { endInstallation } from "../../../domain/applications/installations/change-installation.ts";
import type { InstallationPlace } from "../../../domain/applications/installations/installation-store.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { requireMember } from "../../common/console/require-member.ts";
import type { LiveParts } from "../../common/parts.ts";

/**
 * DELETE apps/{appId}/bot-installations: for a member by account, or for any target, named in the body or in the query.
 * Repeating it changes nothing. Allowed in every state of the application.
 */
export const uninstall: ConsoleRoute<typeof CONSOLE_ENDPOINTS.uninstall, LiveParts> = {
  endpoint: CONSOLE_ENDPOINTS.uninstall,
  async handle(ctx, call) {
    const { app, tenantId, audit } = call;
    const target = { ...call.query, ...call.body };
    const installation = await ctx.storage.write(async (tx) => {
      const place = await placeOf(tx, app.appId, tenantId, target);
      const ended = await endInstallation(tx, place, { tenantId, audit });
      if (ended === null) throw new ConsoleError("INSTALLATION_NOT_FOUND");
      return ended;
    });
    if (installation.targetType === "USER") ctx.live.conversationsChanged(installation.targetId);
    return installation;
  },
};

/** @throws ApiError 400 unless exactly one target is named, ConsoleError 404 for an unknown account. */
async function placeOf(
  db: Db,
  appId: string,
  tenantId: string,
  { username, targetType, targetId }: Uninstall,
): Promise<InstallationPlace> {
  if (username !== undefined) {
    if (targetType !== undefined || targetId !== undefined) {
      throw new ConsoleError("INSTALLATION_AMBIGUOUS");
    }
    return { appId, targetType: "USER", targetId: (await requireMember(db, tenantId, username)).userId };
  }
  if (targetType === undefined && targetId === undefined)
    throw new ApiError(fault("FIELD_MISSING", { field: "username" }));
  if (targetType === undefined) throw new ApiError(fault("FIELD_MISSING", { field: "targetType" }));
  if (targetId === undefined) throw new ApiError(fault("FIELD_MISSING", { field: "targetId" }));
  return { appId, targetType, targetId };
}
