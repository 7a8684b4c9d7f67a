import type { ApiMessage } from "./open.ts";

const kind = "INVALID_REQUEST";

/** Errors in the form of a call of any API. */
export const REQUEST_ERRORS = {
  BODY_MISSING: { kind, message: "请求体不能为空", english: "The call needs a body." },
  BODY_NOT_UTF8: { kind, message: "请求体必须为UTF-8编码", english: "The body is not encoded as UTF-8." },
  BODY_NOT_JSON: { kind, message: "请求体不是合法的JSON", english: "The body is not valid JSON." },
  BODY_TYPE_WRONG: {
    kind,
    message: "请求体类型错误,应为{type}",
    english: "The body has the wrong JSON type; it must be of type {type}.",
  },
  BODY_INVALID: { kind, message: "请求体不合法: {problem}", english: "The body is not valid: {problem}." },
  BODY_TOO_SLOW: {
    kind,
    message: "请求体接收超时",
    english: "The body did not arrive in time.",
  },
  FIELD_MISSING: { kind, message: "{field}不能为空", english: "{field} is missing or empty." },
  FIELD_TYPE_WRONG: {
    kind,
    message: "{field}类型错误,应为{type}",
    english: "{field} has the wrong JSON type; it must be of type {type}.",
  },
  FIELD_VALUE_UNKNOWN: {
    kind,
    message: "{field}取值不合法,可选值: {values}",
    english: "{field} has a value that is not allowed; it must be one of {values}.",
  },
  FIELD_TOO_SHORT: {
    kind,
    message: "{field}长度不能少于{min}",
    english: "{field} is too short: it must have at least {min} characters.",
  },
  FIELD_TOO_LONG: {
    kind,
    message: "{field}长度不能超过{max}",
    english: "{field} is too long: it may have at most {max} characters.",
  },
  FIELD_TOO_SMALL: { kind, message: "{field}不能小于{min}", english: "{field} must be at least {min}." },
  FIELD_TOO_BIG: { kind, message: "{field}不能大于{max}", english: "{field} must be at most {max}." },
  FIELD_CHARACTERS_WRONG: {
    kind,
    message: "{field}包含非法字符",
    english: "{field} contains characters that are not allowed.",
  },
  FIELD_INVALID: { kind, message: "{field}不合法: {problem}", english: "{field} is not valid: {problem}." },
  PARAMETER_MISSING: {
    kind,
    message: "Required String parameter '{name}' is not present",
    english: "The query parameter {name} is missing or empty.",
  },
  PARAMETER_REPEATED: {
    kind,
    message: "参数{name}重复,只能出现一次",
    english: "The query parameter {name} is given more than once.",
  },
  PATH_CHARACTERS_WRONG: {
    kind,
    message: "路径参数包含非法字符",
    english: "An id in the path contains the character NUL.",
  },
  CURSOR_INVALID: {
    kind,
    message: "cursor不合法",
    english: "cursor is not the nextCursor of an earlier page.",
  },
  WEBSOCKET_REQUIRED: {
    kind,
    message: "该接口需要WebSocket连接",
    english: "This address takes WebSocket connections only.",
  },
  CONTENT_TYPE_UNSUPPORTED: {
    kind: "UNSUPPORTED_MEDIA_TYPE",
    // The media types that the platform's message converters know. The contract requires this list, and warns not to
    // rely on it.
    message:
      "{type} is not supported. Supported media types: application/json, application/*+json, multipart/form-data, text/plain, */*",
    english: "The Content-Type {type} is not supported; JSON endpoints take application/json only.",
  },
} as const satisfies Record<string, ApiMessage>;
