import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { deleteTemplate as remove } from "../../../domain/cards/template-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { noTemplate } from "./template-card.ts";

/** DELETE apps/{appId}/card-templates/{cardId}: with all versions. Messages sent from it do not change. */
export const deleteTemplate: ConsoleRoute<typeof CONSOLE_ENDPOINTS.deleteTemplate> = {
  endpoint: CONSOLE_ENDPOINTS.deleteTemplate,
  async handle(ctx, call) {
    const { appId, tenantId } = call.app;
    const { cardId } = call.params;
    await ctx.storage.write(async (tx) => {
      const before = await remove(tx, appId, cardId);
      if (before === null) throw noTemplate();
      await call.audit(tx, {
        action: "template.delete",
        target: `template:${cardId}`,
        appId,
        tenantId,
        before,
        after: null,
      });
    });
    return null;
  },
};
