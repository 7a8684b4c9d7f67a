import { TemplateDetailSchema } from "@portico/protocol/schemas";
import { findTemplateDetail } from "../../../domain/cards/template-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { noTemplate, withCard } from "./template-card.ts";

/** GET apps/{appId}/card-templates/{cardId}. */
export const readTemplate: ConsoleRoute<never, never, typeof TemplateDetailSchema> = {
  method: "GET",
  url: "/apps/:appId/card-templates/:cardId",
  summary: "Read a card template with its card",
  access: "viewer",
  value: TemplateDetailSchema,
  async handle(ctx, { app, params }) {
    const template = await findTemplateDetail(ctx.storage.db, app.appId, params.cardId ?? "");
    if (template === null) throw noTemplate();
    return withCard(template);
  },
};
