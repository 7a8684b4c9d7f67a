import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { setProfile } from "../../../domain/applications/locked-app.ts";
import { listOrigins, setOrigins } from "../../../domain/applications/origin-store.ts";
import { checkProfile, parseOrigins } from "../../common/console/app-profile.ts";
import type { AppParts } from "../../common/console/console-parts.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { requireLockedApp, viewApp } from "../../common/console/require-app.ts";
import { checkCustomerApp } from "../customer-service/customer-app.ts";

/** PATCH apps/{appId}: absent fields do not change. */
export const updateApp: ConsoleRoute<typeof CONSOLE_ENDPOINTS.updateApp, AppParts> = {
  endpoint: CONSOLE_ENDPOINTS.updateApp,
  async handle(ctx, { app: { appId }, body, audit }) {
    checkProfile(body);
    const origins = body.allowedOrigins && parseOrigins(body.allowedOrigins);
    const view = await ctx.storage.write(async (tx) => {
      const app = await requireLockedApp(tx, appId);
      if (origins !== undefined) checkCustomerApp(app, "widget");
      const { tenantId, displayName, avatar, description } = app;
      const allowedOrigins = await listOrigins(tx, appId);
      const profile = { displayName, avatar, description };
      const changed = {
        displayName: body.displayName ?? displayName,
        avatar: body.avatar ?? avatar,
        description: body.description ?? description,
      };
      const before = { ...profile, ...(origins && { allowedOrigins }) };
      const after = { ...changed, ...(origins && { allowedOrigins: origins }) };
      if (JSON.stringify(before) !== JSON.stringify(after)) {
        await setProfile(tx, appId, changed);
        if (origins !== undefined) await setOrigins(tx, appId, origins);
        await audit(tx, { action: "app.update", target: `app:${appId}`, appId, tenantId, before, after });
      }
      return { ...(await viewApp(tx, appId)), allowedOrigins: origins ?? allowedOrigins };
    });
    ctx.apps.forget(appId);
    return view;
  },
};
