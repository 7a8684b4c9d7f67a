import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { findTemplateDetail } from "../../../domain/cards/template-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { noTemplate, withCard } from "./template-card.ts";

/** GET apps/{appId}/card-templates/{cardId}. */
export const getTemplate: ConsoleRoute<typeof CONSOLE_ENDPOINTS.getTemplate> = {
  endpoint: CONSOLE_ENDPOINTS.getTemplate,
  async handle(ctx, { app, params }) {
    const template = await findTemplateDetail(ctx.storage.db, app.appId, params.cardId);
    if (template === null) throw noTemplate();
    return withCard(template);
  },
};
