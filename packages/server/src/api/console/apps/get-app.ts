import { AppDetailSchema } from "@portico/protocol/schemas";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { readAppDetails, viewApp } from "../../common/console/known-app.ts";

/** GET apps/{appId}. */
export const readApp: ConsoleRoute<never, never, typeof AppDetailSchema> = {
  method: "GET",
  url: "/apps/:appId",
  summary: "Read an application with its scopes and its quota",
  access: "viewer",
  value: AppDetailSchema,
  async handle(ctx, { app }) {
    return { ...(await viewApp(ctx.storage.db, app.appId)), ...(await readAppDetails(ctx, app)) };
  },
};
