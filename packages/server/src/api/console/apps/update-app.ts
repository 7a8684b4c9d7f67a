import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { setProfile } from "../../../domain/applications/locked-app.ts";
import { listOrigins, setOrigins } from "../../../domain/applications/origin-store.ts";
import { findWidget, setWidget } from "../../../domain/applications/widget-store.ts";
import { checkProfile, parseOrigins } from "../../common/console/app-profile.ts";
import type { AppParts } from "../../common/console/console-parts.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { requireLockedApp, viewApp } from "../../common/console/require-app.ts";
import { checkCustomerApp } from "../customer-service/customer-app.ts";
import { checkWidget } from "../customer-service/widget-settings.ts";

/** PATCH apps/{appId}: absent fields do not change. */
export const updateApp: ConsoleRoute<typeof CONSOLE_ENDPOINTS.updateApp, AppParts> = {
  endpoint: CONSOLE_ENDPOINTS.updateApp,
  async handle(ctx, { app: { appId }, body, audit }) {
    checkProfile(body);
    checkWidget(body.widget);
    const origins = body.allowedOrigins && parseOrigins(body.allowedOrigins);
    const view = await ctx.storage.write(async (tx) => {
      const app = await requireLockedApp(tx, appId);
      const isOfWidget = [origins, body.anonymousVisitors, body.widget].some((given) => given !== undefined);
      if (isOfWidget) checkCustomerApp(app, "widget");
      const { tenantId, displayName, avatar, description } = app;
      const profile = { displayName, avatar, description };
      const allowedOrigins = await listOrigins(tx, appId);
      const { anonymousVisitors, widget } = await findWidget(tx, appId);
      const changed = {
        displayName: body.displayName ?? displayName,
        avatar: body.avatar ?? avatar,
        description: body.description ?? description,
      };
      const changedWidget = {
        anonymousVisitors: body.anonymousVisitors ?? anonymousVisitors,
        widget: { ...widget, ...body.widget },
      };
      // What the call does not touch is no part of the entry in the audit log.
      const entryOf = (rest: { allowedOrigins: readonly string[]; anonymousVisitors: boolean; widget: object }) => ({
        ...(origins && { allowedOrigins: rest.allowedOrigins }),
        ...(body.anonymousVisitors !== undefined && { anonymousVisitors: rest.anonymousVisitors }),
        ...(body.widget && { widget: rest.widget }),
      });
      const before = { ...profile, ...entryOf({ allowedOrigins, anonymousVisitors, widget }) };
      const after = { ...changed, ...entryOf({ allowedOrigins: origins ?? allowedOrigins, ...changedWidget }) };
      if (JSON.stringify(before) !== JSON.stringify(after)) {
        await setProfile(tx, appId, changed);
        if (origins !== undefined) await setOrigins(tx, appId, origins);
        if (isOfWidget) await setWidget(tx, appId, changedWidget);
        await audit(tx, { action: "app.update", target: `app:${appId}`, appId, tenantId, before, after });
      }
      return { ...(await viewApp(tx, appId)), allowedOrigins: origins ?? allowedOrigins, ...changedWidget };
    });
    ctx.apps.forget(appId);
    return view;
  },
};
