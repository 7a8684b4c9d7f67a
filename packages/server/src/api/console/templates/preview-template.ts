import { PreviewBodySchema, PreviewSchema } from "@portico/protocol/schemas";
import { receivedCard } from "../../../domain/cards/card-content.ts";
import { previewCard } from "../../../domain/cards/preview-card.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** POST apps/{appId}/card-templates/preview, or validate: all that is wrong with a card, and how it would be shown. */
export function previewTemplate(
  name: "preview" | "validate",
): ConsoleRoute<typeof PreviewBodySchema, never, typeof PreviewSchema> {
  return {
    method: "POST",
    url: `/apps/:appId/card-templates/${name}`,
    summary: "Judge a card by all rules, and expand it, without keeping anything",
    access: "viewer",
    body: PreviewBodySchema,
    value: PreviewSchema,
    async handle(ctx, { app, body, rawBody }) {
      return await previewCard(ctx, { type: "APP", id: app.appId }, receivedCard(body.card, rawBody, ["card"]));
    },
  };
}
