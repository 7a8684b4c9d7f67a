import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import type { PreviewParts } from "../../../domain/cards/preview-card.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { previewTemplate } from "./preview-template.ts";

/** POST apps/{appId}/card-templates/validate: the same as preview, under the contract's second name. */
export const validateTemplate: ConsoleRoute<typeof CONSOLE_ENDPOINTS.validateTemplate, PreviewParts> = {
  endpoint: CONSOLE_ENDPOINTS.validateTemplate,
  handle: previewTemplate.handle,
};
