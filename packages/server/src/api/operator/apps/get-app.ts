import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import type { LimitParts } from "../../common/console/console-parts.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { getAppDetails } from "../../common/console/require-app.ts";
import { viewOperatorApp } from "./app-view.ts";

/** GET operator/apps/{appId}. */
export const getApp: ConsoleRoute<typeof OPERATOR_ENDPOINTS.getApp, LimitParts> = {
  endpoint: OPERATOR_ENDPOINTS.getApp,
  async handle(ctx, { params: { appId } }) {
    const app = await viewOperatorApp(ctx.storage.db, appId);
    return { ...app, ...(await getAppDetails(ctx, app)) };
  },
};
