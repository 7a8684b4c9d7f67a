import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { listCredentials, revokeRotatedSince, shownId } from "../../../domain/applications/credential-store.ts";
import type { AppParts, LimitParts } from "../../common/console/console-parts.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { requireLockedApp } from "../../common/console/require-app.ts";

/**
 * POST apps/{appId}/credentials/revoke-old: ends the grace period of old credentials at once, for example after a leak.
 * They are deleted, so that a longer grace period configured later cannot bring them back. Returns the remaining ones.
 */
export const revokeOldCredentials: ConsoleRoute<typeof CONSOLE_ENDPOINTS.revokeOldCredentials, AppParts & LimitParts> =
  {
    endpoint: CONSOLE_ENDPOINTS.revokeOldCredentials,
    async handle(ctx, { app: { appId }, audit }) {
      const { credentialGraceMs } = ctx.config.limits;
      const remaining = await ctx.storage.write(async (tx) => {
        const { tenantId } = await requireLockedApp(tx, appId);
        const now = ctx.clock.now();
        const before = await listCredentials(tx, appId, credentialGraceMs, now);
        const revoked = await revokeRotatedSince(tx, appId, now - credentialGraceMs, now);
        if (revoked.length > 0) {
          await audit(tx, {
            action: "credential.revoke",
            target: `app:${appId}`,
            appId,
            tenantId,
            before: { inGrace: before.filter(({ status }) => status === "GRACE") },
            after: { revoked: revoked.map(shownId) },
          });
        }
        return await listCredentials(tx, appId, credentialGraceMs, now);
      });
      ctx.apps.forget(appId);
      return remaining;
    },
  };
