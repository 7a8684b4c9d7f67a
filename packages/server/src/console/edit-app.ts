import { AppSchema, EditAppBodySchema } from "@portico/protocol/schemas";
import { setProfile } from "../applications/held-app.ts";
import { checkProfile } from "./app-profile.ts";
import type { ConsoleRoute } from "./console-route.ts";
import { holdKnownApp, viewApp } from "./known-app.ts";

/** PATCH apps/{appId}: what is left out stays as it is (design, section 11). */
export const editApp: ConsoleRoute<typeof EditAppBodySchema, never, typeof AppSchema> = {
  method: "PATCH",
  url: "/apps/:appId",
  summary: "Change an application's profile",
  body: EditAppBodySchema,
  access: "owner",
  value: AppSchema,
  async handle(ctx, { app: { appId }, body, audit }) {
    checkProfile(body);
    const view = await ctx.storage.write(async (tx) => {
      const { tenantId, displayName, avatar, description } = await holdKnownApp(tx, appId);
      const before = { displayName, avatar, description };
      const after = {
        displayName: body.displayName ?? displayName,
        avatar: body.avatar ?? avatar,
        description: body.description ?? description,
      };
      if (JSON.stringify(before) !== JSON.stringify(after)) {
        await setProfile(tx, appId, after);
        await audit(tx, { action: "app.update", target: `app:${appId}`, appId, tenantId, before, after });
      }
      return await viewApp(tx, appId);
    });
    ctx.apps.forget(appId);
    return view;
  },
};
