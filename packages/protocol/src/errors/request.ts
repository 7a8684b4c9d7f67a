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

/** Errors in the content of a message. */
export const CONTENT_ERRORS = {
  MESSAGE_TYPE_UNSUPPORTED: {
    kind,
    message: "不支持的消息类型: {msgType}",
    english: "The msgType {msgType} is not supported here.",
  },
  CARD_SOURCE_AMBIGUOUS: {
    kind,
    message: "content.card与content.cardId只能提供一个",
    english: "content has both card and cardId; only one of them may be given.",
  },
  PIXELS_OUT_OF_RANGE: {
    kind,
    message: "{field}必须在0到{max}之间",
    english: "{field} must be from 0 to {max}.",
  },
  MENTIONS_NOT_AN_ARRAY: {
    kind,
    message: "content.mentions必须为数组",
    english: "content.mentions must be an array.",
  },
  MENTIONS_TOO_MANY: {
    kind,
    message: "content.mentions不能超过{max}个",
    english: "content.mentions may name at most {max} accounts.",
  },
  MENTION_INVALID: {
    kind,
    message: "content.mentions包含非法账号",
    english: "An entry of content.mentions is neither a text nor an object whose userId is a text.",
  },
  VISITOR_EXTRA_TOO_LONG: {
    kind,
    message: "extra不能超过8KiB",
    english: "extra is longer than 8 KiB of JSON.",
  },
} as const satisfies Record<string, ApiMessage>;

/** Errors of an upload. */
export const UPLOAD_ERRORS = {
  UPLOAD_NOT_MULTIPART: {
    kind,
    message: "Content-Type必须为multipart/form-data",
    english: "An upload must have the Content-Type multipart/form-data.",
  },
  UPLOAD_BOUNDARY_MISSING: {
    kind,
    message: "Content-Type缺少有效的boundary",
    english: "The Content-Type of the upload names no valid boundary.",
  },
  UPLOAD_CUT_OFF: {
    kind,
    message: "multipart请求体不完整: 缺少结束边界",
    english: "The multipart body is not complete: its closing delimiter is missing.",
  },
  UPLOAD_LINE_BREAKS_WRONG: {
    kind,
    message: "multipart请求体的换行必须为CRLF",
    english: "Every line break of the multipart body must be CRLF.",
  },
  UPLOAD_PART_HEAD_TOO_LONG: {
    kind,
    message: "上传分片的头部不能超过{max}KiB",
    english: "The head of a part is longer than {max} KiB.",
  },
  UPLOAD_PART_HEAD_INVALID: {
    kind,
    message: "上传分片的头部格式错误",
    english: "The head of a part cannot be read.",
  },
  UPLOAD_PARTS_TOO_MANY: {
    kind,
    message: "上传分片不能超过{max}个",
    english: "An upload may have at most {max} parts.",
  },
  UPLOAD_OTHER_PARTS_TOO_LARGE: {
    kind,
    message: "file以外的上传分片不能超过{max}",
    english: "The parts beside the file hold more than {max}.",
  },
  UPLOAD_ENCODING_UNSUPPORTED: {
    kind,
    message: "Content-Transfer-Encoding仅支持7bit、8bit、binary",
    english: "The Content-Transfer-Encoding of the part must be 7bit, 8bit or binary.",
  },
  UPLOAD_FILE_MISSING: {
    kind,
    message: "缺少必需的上传分片: file",
    english: 'The upload has no part with name="file" and a file name.',
  },
  UPLOAD_FILES_TOO_MANY: {
    kind,
    message: "上传分片file只能有一个",
    english: "The upload has more than one part named file.",
  },
  UPLOAD_FILE_TOO_LARGE: {
    kind,
    message: "文件不能超过{max}",
    english: "The file is larger than {max}.",
  },
  UPLOAD_TOO_SLOW: {
    kind,
    message: "上传过慢,已中止",
    english: "The upload came too slowly and was ended.",
  },
} as const satisfies Record<string, ApiMessage>;
