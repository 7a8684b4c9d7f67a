import type { TemplateContent } from "../../../domain/cards/template-content.ts";
import { JsonText } from "../../../platform/http/json-text.ts";
import { ConsoleError } from "../../common/console/console-error.ts";

/** A template or version for an answer, with its card exactly as it was saved. */
export function withCard<Found extends TemplateContent>(found: Found) {
  return { ...found, card: new JsonText(found.card) };
}

/** The error for an unknown template. */
export function noTemplate(): ConsoleError {
  return new ConsoleError("TEMPLATE_NOT_FOUND");
}
