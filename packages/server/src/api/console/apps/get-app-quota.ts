import { AppQuotaSchema } from "@portico/protocol/schemas";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { knownQuota } from "../../common/console/known-app.ts";

/** GET apps/{appId}/quota (docs/contract/limits.md). */
export const readAppQuota: ConsoleRoute<never, never, typeof AppQuotaSchema> = {
  method: "GET",
  url: "/apps/:appId/quota",
  summary: "Read an application's quota and what it has used of it today",
  access: "viewer",
  value: AppQuotaSchema,
  async handle(ctx, { app }) {
    return await knownQuota(ctx, ctx.storage.db, app.appId);
  },
};
