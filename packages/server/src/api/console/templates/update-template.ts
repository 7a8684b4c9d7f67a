import { fault } from "@portico/protocol";
import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { soundCard } from "../../../domain/cards/accept-card.ts";
import { receivedCard } from "../../../domain/cards/card-content.ts";
import { findTemplateDetail, lockTemplate, saveTemplate as save } from "../../../domain/cards/template-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { noTemplate, withCard } from "./template-card.ts";

/**
 * PUT apps/{appId}/card-templates/{cardId}: saves a new version, which the next send uses. Concurrent saves run one
 * after another and each gets its own version; with `version`, all but the first are refused.
 */
export const updateTemplate: ConsoleRoute<typeof CONSOLE_ENDPOINTS.updateTemplate> = {
  endpoint: CONSOLE_ENDPOINTS.updateTemplate,
  stores: true,
  async handle(ctx, call) {
    const { appId, tenantId } = call.app;
    const { cardId } = call.params;
    const expected = call.body.version ?? null;
    const card = soundCard(receivedCard(call.body.card, call.rawBody, ["card"]));
    const saving = { developerId: call.developer.developerId, now: ctx.clock.now() };
    return await ctx.storage.write(async (tx) => {
      const locked = await lockTemplate(tx, appId, cardId);
      if (locked === null) throw noTemplate();
      if (expected !== null && expected !== locked.version) {
        throw new ConsoleError(fault("TEMPLATE_CHANGED", { version: locked.version }));
      }
      const name = call.body.name ?? locked.name;
      const version = await save(tx, locked, { name, card }, saving);
      if (version === null) throw new ConsoleError("TEMPLATE_VERSIONS_USED_UP");
      await call.audit(tx, {
        action: "template.save",
        target: `template:${cardId}`,
        appId,
        tenantId,
        before: { name: locked.name, version: locked.version },
        after: { name, version },
      });
      const saved = await findTemplateDetail(tx, appId, cardId);
      if (saved === null) throw new Error("what was just saved is not there");
      return withCard(saved);
    });
  },
};
