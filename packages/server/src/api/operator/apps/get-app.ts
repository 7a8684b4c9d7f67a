import { OperatorAppDetailSchema } from "@portico/protocol/schemas";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { readAppDetails } from "../../common/console/known-app.ts";
import { viewOperatorApp } from "./app-view.ts";

/** GET operator/apps/{appId}. */
export const readOperatorApp: ConsoleRoute<never, never, typeof OperatorAppDetailSchema> = {
  method: "GET",
  url: "/operator/apps/:appId",
  summary: "Read any application with its scopes and its quota",
  access: "operator",
  value: OperatorAppDetailSchema,
  async handle(ctx, { params: { appId = "" } }) {
    const app = await viewOperatorApp(ctx.storage.db, appId);
    return { ...app, ...(await readAppDetails(ctx, app)) };
  },
};
