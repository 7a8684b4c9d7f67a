import { AppQuotaSchema } from "@portico/protocol/schemas";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { knownQuota } from "../../common/console/known-app.ts";

/** GET operator/apps/{appId}/quota (docs/contract/limits.md). */
export const readOperatorQuota: ConsoleRoute<never, never, typeof AppQuotaSchema> = {
  method: "GET",
  url: "/operator/apps/:appId/quota",
  summary: "Read any application's quota and what it has used of it today",
  access: "operator",
  value: AppQuotaSchema,
  async handle(ctx, { params: { appId = "" } }) {
    return await knownQuota(ctx, ctx.storage.db, appId);
  },
};
