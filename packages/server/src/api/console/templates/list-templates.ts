import { TemplateListSchema, TemplatesQuerySchema } from "@portico/protocol/schemas";
import { countTemplates, listTemplates } from "../../../domain/cards/template-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET apps/{appId}/card-templates, without their cards. */
export const readTemplates: ConsoleRoute<never, typeof TemplatesQuerySchema, typeof TemplateListSchema> = {
  method: "GET",
  url: "/apps/:appId/card-templates",
  summary: "List an application's card templates",
  access: "viewer",
  query: TemplatesQuerySchema,
  value: TemplateListSchema,
  async handle(ctx, call) {
    const { page = 1, pageSize = 20 } = call.query;
    const { db } = ctx.storage;
    const { appId } = call.app;
    const total = await countTemplates(db, appId);
    const items = await listTemplates(db, appId, { page, pageSize });
    return { items, total, page, pageSize };
  },
};
