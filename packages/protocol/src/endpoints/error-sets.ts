import { CARD_ERRORS } from "../errors/cards.ts";
import type { ApiErrorCode } from "../errors/index.ts";
import { UPLOAD_ERRORS } from "../errors/request.ts";
import type { Endpoint } from "./endpoint.ts";

/** What can be wrong with a card, whoever sends it. */
export const CARD_RULES = Object.keys(CARD_ERRORS) as (keyof typeof CARD_ERRORS)[];

/** What can be wrong with the content of a message that holds a card. */
export const CARD_CONTENT = [
  ...CARD_RULES,
  "CARD_SOURCE_AMBIGUOUS",
  "CARD_TEMPLATE_UNKNOWN",
  "CARD_IMAGE_NOT_A_PICTURE",
] as const;

/** What can be wrong with what a visitor or an agent says. */
export const VISITOR_MESSAGE = [
  "MESSAGE_TYPE_UNSUPPORTED",
  "PIXELS_OUT_OF_RANGE",
  "FILE_UNUSABLE",
  "DISK_FULL",
] as const;

/** What can be wrong with the content of a message of a bot or a member. */
export const MESSAGE_CONTENT = [
  ...VISITOR_MESSAGE,
  "MENTIONS_NOT_AN_ARRAY",
  "MENTIONS_TOO_MANY",
  "MENTION_INVALID",
] as const;

/** What who has had much stored is told, beside a message's own errors; an application has its quota instead. */
export const STORING = ["DISK_FULL", "MESSAGES_TOO_FREQUENT", "STORED_TOO_MUCH"] as const;

/** What any call can answer with. */
const OF_EVERY_CALL = ["QUOTA_EXCEEDED", "INTERNAL", "ANSWERS_TOO_MANY"] as const;

/** What any call of the open API can answer with: what its gate refuses. */
export const OPEN_CALL_ERRORS = [
  ...OF_EVERY_CALL,
  "UNAUTHENTICATED",
  "APP_NOT_ACTIVE",
  "SCOPE_MISSING",
  "NOT_ACCEPTABLE",
  "BODY_TOO_LARGE",
  "BODY_TOO_SLOW",
  "BODIES_TOO_MANY",
] as const satisfies readonly ApiErrorCode[];

/** What any call of a member can answer with, those of agents included. */
export const MEMBER_CALL_ERRORS = [...OF_EVERY_CALL, "NOT_SIGNED_IN"] as const satisfies readonly ApiErrorCode[];

/** What any call of a visitor's widget can answer with. */
export const WIDGET_CALL_ERRORS = [
  ...OF_EVERY_CALL,
  "UNAUTHENTICATED",
  "VISITOR_NOT_SIGNED_IN",
  "APP_NOT_ACTIVE",
  "WIDGET_SITE_NOT_ALLOWED",
  "WIDGET_SITE_UNKNOWN",
  "WIDGET_ORIGIN_INVALID",
] as const satisfies readonly ApiErrorCode[];

const OF_FIELDS = [
  "FIELD_TYPE_WRONG",
  "FIELD_VALUE_UNKNOWN",
  "FIELD_TOO_SHORT",
  "FIELD_TOO_LONG",
  "FIELD_TOO_SMALL",
  "FIELD_TOO_BIG",
  "FIELD_CHARACTERS_WRONG",
  "FIELD_INVALID",
] as const;
const OF_BODIES = [
  "BODY_MISSING",
  "BODY_NOT_UTF8",
  "BODY_NOT_JSON",
  "BODY_TYPE_WRONG",
  "BODY_INVALID",
  "BODY_TOO_SLOW",
  "BODY_TOO_LARGE",
  "BODIES_TOO_MANY",
  "CONTENT_TYPE_UNSUPPORTED",
  "FIELD_MISSING",
] as const;
const OF_FILES = [
  "BODY_TOO_LARGE",
  "CONTENT_TYPE_UNSUPPORTED",
  "UPLOADS_TOO_MANY",
  "DISK_FULL",
  ...(Object.keys(UPLOAD_ERRORS) as (keyof typeof UPLOAD_ERRORS)[]),
] as const;

/** What an endpoint can answer with because of what it takes: parameters in its path, a query, a body, a file. */
export function formErrors({ path, query, body, takesFile }: Endpoint): ApiErrorCode[] {
  const errors: ApiErrorCode[] = [];
  if (path.includes("/:")) errors.push("PATH_CHARACTERS_WRONG", "FIELD_TYPE_WRONG");
  if (query !== undefined) errors.push("PARAMETER_MISSING", ...OF_FIELDS);
  if (body !== undefined) errors.push(...OF_BODIES, ...OF_FIELDS);
  if (takesFile) errors.push(...OF_FILES);
  return [...new Set(errors)];
}
