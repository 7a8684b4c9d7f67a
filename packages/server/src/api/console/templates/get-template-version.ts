import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { findTemplateDetail } from "../../../domain/cards/template-store.ts";
import { findVersion } from "../../../domain/cards/template-version-store.ts";
import { integerParam } from "../../../platform/http/path-params.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { noTemplate, withCard } from "./template-card.ts";

/** GET apps/{appId}/card-templates/{cardId}/versions/{version}, with its card. */
export const getTemplateVersion: ConsoleRoute<typeof CONSOLE_ENDPOINTS.getTemplateVersion> = {
  endpoint: CONSOLE_ENDPOINTS.getTemplateVersion,
  async handle(ctx, { app, params }) {
    const { db } = ctx.storage;
    const version = integerParam(params, "version");
    const template = await findTemplateDetail(db, app.appId, params.cardId);
    if (template === null) throw noTemplate();
    const kept = await findVersion(db, template.cardId, version);
    if (kept !== null) return withCard(kept);
    if (template.version !== version) throw new ConsoleError("TEMPLATE_VERSION_NOT_FOUND");
    const { name, card } = template;
    return withCard({ version, name, savedAt: null, savedBy: null, card });
  },
};
