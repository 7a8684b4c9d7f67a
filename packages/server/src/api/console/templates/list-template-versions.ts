import { TemplateVersionListSchema } from "@portico/protocol/schemas";
import { findTemplateDetail, listVersions } from "../../../domain/cards/template-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { noTemplate } from "./template-card.ts";

/** GET apps/{appId}/card-templates/{cardId}/versions, newest first, without their cards. */
export const readTemplateVersions: ConsoleRoute<never, never, typeof TemplateVersionListSchema> = {
  method: "GET",
  url: "/apps/:appId/card-templates/:cardId/versions",
  summary: "List the versions of a card template, the newest 100",
  access: "viewer",
  value: TemplateVersionListSchema,
  async handle(ctx, { app, params }) {
    const { db } = ctx.storage;
    const template = await findTemplateDetail(db, app.appId, params.cardId ?? "");
    if (template === null) throw noTemplate();
    const { cardId, version, name } = template;
    const versions = await listVersions(db, cardId);
    if (versions.some((kept) => kept.version === version)) return versions;
    // Nobody has saved it: a provisioning file says it.
    const provisioned = { version, name, savedAt: null, savedBy: null };
    return [...versions, provisioned].sort((a, b) => b.version - a.version);
  },
};
