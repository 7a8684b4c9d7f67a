import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { findTemplateDetail } from "../../../domain/cards/template-store.ts";
import { listVersions } from "../../../domain/cards/template-version-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { noTemplate } from "./template-card.ts";

/** GET apps/{appId}/card-templates/{cardId}/versions, newest first, without their cards. */
export const listTemplateVersions: ConsoleRoute<typeof CONSOLE_ENDPOINTS.listTemplateVersions> = {
  endpoint: CONSOLE_ENDPOINTS.listTemplateVersions,
  async handle(ctx, { app, params }) {
    const { db } = ctx.storage;
    const template = await findTemplateDetail(db, app.appId, params.cardId);
    if (template === null) throw noTemplate();
    const { cardId, version, name } = template;
    const versions = await listVersions(db, cardId);
    if (versions.some((kept) => kept.version === version)) return versions;
    // This version was not saved by a person; it comes from a provisioning file.
    const provisioned = { version, name, savedAt: null, savedBy: null };
    return [...versions, provisioned].sort((a, b) => b.version - a.version);
  },
};
