import { CARD_ERRORS } from "../errors/cards.ts";
import type { ApiErrorCode } from "../errors/index.ts";
import { UPLOAD_ERRORS } from "../errors/upload.ts";
import type { Endpoint } from "./endpoint.ts";

/** Errors of a card that breaks a rule. */
export const CARD_RULES = Object.keys(CARD_ERRORS) as (keyof typeof CARD_ERRORS)[];

/** Errors of the content of a card message. */
export const CARD_CONTENT = [
  ...CARD_RULES,
  "CARD_SOURCE_AMBIGUOUS",
  "CARD_TEMPLATE_UNKNOWN",
  "CARD_IMAGE_NOT_A_PICTURE",
] as const;

/** Errors of the content of a visitor's or an agent's message. */
export const VISITOR_MESSAGE = ["MESSAGE_TYPE_UNSUPPORTED", "PIXELS_OUT_OF_RANGE", "FILE_UNUSABLE"] as const;

/** Errors of the content of a bot's or a member's message. */
export const MESSAGE_CONTENT = [
  ...VISITOR_MESSAGE,
  "MENTIONS_NOT_AN_ARRAY",
  "MENTIONS_TOO_MANY",
  "MENTION_INVALID",
] as const;

/** Errors of a person who stores too much. Applications have a quota instead. */
export const STORING = ["MESSAGES_TOO_FREQUENT", "STORED_TOO_MUCH"] as const;

/** Errors of a new password. */
export const PASSWORD_RULES = ["PASSWORD_TOO_SHORT", "PASSWORD_COMMON", "PASSWORD_PERSONAL"] as const;

/** Errors of every call: most write something, and a full disk fails any write. */
const OF_EVERY_CALL = ["INTERNAL", "ANSWERS_TOO_MANY", "DISK_FULL"] as const;

/** Errors of every call of the open API: those of its gate. */
export const OPEN_CALL_ERRORS = [
  ...OF_EVERY_CALL,
  "QUOTA_EXCEEDED",
  "UNAUTHENTICATED",
  "APP_NOT_ACTIVE",
  "SCOPE_MISSING",
  "NOT_ACCEPTABLE",
  "BODY_TOO_LARGE",
  "BODY_TOO_SLOW",
  "BODIES_TOO_MANY",
] as const satisfies readonly ApiErrorCode[];

/** Errors of every call of the console API, including operators' calls, in addition to `consoleErrorsOf`. */
export const CONSOLE_CALL_ERRORS = [...OF_EVERY_CALL, "NOT_SIGNED_IN"] as const satisfies readonly ApiErrorCode[];

/** Errors of every call of a member, including agents' calls. */
export const MEMBER_CALL_ERRORS = [...OF_EVERY_CALL, "NOT_SIGNED_IN"] as const satisfies readonly ApiErrorCode[];

/** Errors of every call of a visitor's widget. */
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
  "UNSUPPORTED_MEDIA_TYPE",
  "FIELD_MISSING",
] as const;
const OF_FILES = [
  "BODY_TOO_LARGE",
  "CONTENT_TYPE_UNSUPPORTED",
  "UNSUPPORTED_MEDIA_TYPE",
  "UPLOADS_TOO_MANY",
  ...(Object.keys(UPLOAD_ERRORS) as (keyof typeof UPLOAD_ERRORS)[]),
] as const;

/** Errors that follow from an endpoint's input: path parameters, query, body, file. */
export function formErrors({ path, query, body, takesFile }: Endpoint): ApiErrorCode[] {
  const errors: ApiErrorCode[] = [];
  if (path.includes("/:")) errors.push("PATH_CHARACTERS_WRONG", "FIELD_TYPE_WRONG");
  if (query !== undefined) errors.push("PARAMETER_MISSING", "PARAMETER_REPEATED", ...OF_FIELDS);
  if (body !== undefined) errors.push(...OF_BODIES, ...OF_FIELDS);
  if (takesFile) errors.push(...OF_FILES);
  return [...new Set(errors)];
}
