import { InstallationListSchema, InstallationsQuerySchema } from "@portico/protocol/schemas";
import type { OpenRoute } from "../gate/open-route.ts";
import { listInstallations as select } from "./installation-store.ts";

/** GET /api/open/v2/bot/installations (spec.md, "Bot V2"). */
export const listInstallations: OpenRoute<never, typeof InstallationsQuerySchema, typeof InstallationListSchema> = {
  method: "GET",
  url: "/api/open/v2/bot/installations",
  summary: "List the conversations the bot is or was installed in",
  scope: "bot.installation.read",
  query: InstallationsQuerySchema,
  value: InstallationListSchema,
  async handle(_ctx, db, { app, query }) {
    return { items: await select(db, app.appId, query) };
  },
};
