import { deleteTemplate as remove } from "../../../domain/cards/template-store.ts";
import { type ConsoleRoute, NO_CONTENT } from "../../common/console/console-route.ts";
import { noTemplate } from "./template-card.ts";

/** DELETE apps/{appId}/card-templates/{cardId}: with all its versions. What was sent from it stays as it is. */
export const deleteTemplate: ConsoleRoute<never, never, typeof NO_CONTENT> = {
  method: "DELETE",
  url: "/apps/:appId/card-templates/:cardId",
  summary: "Remove a card template with all its versions",
  access: "owner",
  value: NO_CONTENT,
  async handle(ctx, call) {
    const { appId, tenantId } = call.app;
    const { cardId = "" } = call.params;
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
