import { randomBytes } from "node:crypto";
import { fault } from "@portico/protocol";
import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { lockApp } from "../../../domain/applications/locked-app.ts";
import { soundCard } from "../../../domain/cards/accept-card.ts";
import { receivedCard } from "../../../domain/cards/card-content.ts";
import { countTemplates, findTemplateDetail, insertTemplate } from "../../../domain/cards/template-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { withCard } from "./template-card.ts";

const ID_BYTES = 16;

/** The most templates per application. */
const MAX_TEMPLATES = 500;

/** POST apps/{appId}/card-templates. An invalid card is refused with the error that a send would give. */
export const createTemplate: ConsoleRoute<typeof CONSOLE_ENDPOINTS.createTemplate> = {
  endpoint: CONSOLE_ENDPOINTS.createTemplate,
  stores: true,
  async handle(ctx, call) {
    const { appId, tenantId, type } = call.app;
    if (type !== "BOT") throw new ConsoleError("ONLY_BOTS_HAVE_TEMPLATES");
    const { name } = call.body;
    const card = soundCard(receivedCard(call.body.card, call.rawBody, ["card"]));
    const cardId = `tpl_${randomBytes(ID_BYTES).toString("base64url")}`;
    const saving = { developerId: call.developer.developerId, now: ctx.clock.now() };
    return await ctx.storage.write(async (tx) => {
      // The lock prevents concurrent additions while the templates are counted.
      await lockApp(tx, appId);
      if ((await countTemplates(tx, appId)) >= MAX_TEMPLATES) {
        throw new ConsoleError(fault("TEMPLATES_TOO_MANY", { max: MAX_TEMPLATES }));
      }
      await insertTemplate(tx, { appId, cardId }, { name, card }, saving);
      await call.audit(tx, {
        action: "template.create",
        target: `template:${cardId}`,
        appId,
        tenantId,
        before: null,
        after: { name, version: 1 },
      });
      const created = await findTemplateDetail(tx, appId, cardId);
      if (created === null) throw new Error("what was just saved is not there");
      return withCard(created);
    });
  },
};
