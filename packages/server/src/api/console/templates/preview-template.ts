import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { receivedCard } from "../../../domain/cards/card-content.ts";
import type { PreviewParts } from "../../../domain/cards/preview-card.ts";
import { previewCard } from "../../../domain/cards/preview-card.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** POST apps/{appId}/card-templates/preview: all problems of a card, and the card as members would see it. */
export const previewTemplate: ConsoleRoute<typeof CONSOLE_ENDPOINTS.previewTemplate, PreviewParts> = {
  endpoint: CONSOLE_ENDPOINTS.previewTemplate,
  async handle(ctx, { app, body, rawBody }) {
    return await previewCard(ctx, { type: "APP", id: app.appId }, receivedCard(body.card, rawBody, ["card"]));
  },
};
