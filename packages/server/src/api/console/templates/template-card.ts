import type { TemplateContent } from "../../../domain/cards/template-store.ts";
import { JsonText } from "../../../platform/http/json-text.ts";
import { ConsoleError } from "../../common/console/console-error.ts";

/** A template or a version of one as an answer shows it: its card exactly as it was saved. */
export function withCard<Found extends TemplateContent>(found: Found) {
  return { ...found, card: new JsonText(found.card) };
}

/** The refusal of a template that the application does not have. */
export function noTemplate(): ConsoleError {
  return new ConsoleError("TEMPLATE_NOT_FOUND");
}
