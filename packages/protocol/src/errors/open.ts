/**
 * The error table of the open API (docs/contract/errors.md): the HTTP status, the code of the envelope, and the message
 * when no more specific error applies. `english` is for tools and pages.
 */
export const ERRORS = {
  INVALID_REQUEST: {
    status: 400,
    code: "400006",
    message: "请求参数不合法",
    english: "The body or the parameters of the request are not valid.",
  },
  UNAUTHENTICATED: {
    status: 401,
    code: "400001",
    message: "身份认证失败",
    english: "The caller could not be authenticated.",
  },
  APP_NOT_ACTIVE: { status: 403, code: "400005", message: "应用未启用", english: "The application is not ACTIVE." },
  SCOPE_MISSING: {
    status: 403,
    code: "400007",
    message: "所需的开放平台Scope未被授权",
    english: "The application has not been granted the scope that the call needs.",
  },
  FORBIDDEN: {
    status: 403,
    code: "400008",
    message: "无权访问该资源",
    english: "The caller may not use this resource.",
  },
  VISITOR_DISABLED: { status: 403, code: "400101", message: "访客已禁用", english: "The visitor is disabled." },
  VISITOR_NOT_FOUND: { status: 404, code: "400100", message: "访客不存在", english: "There is no such visitor." },
  SESSION_NOT_FOUND: { status: 404, code: "400300", message: "会话不存在", english: "There is no such session." },
  AGENT_NOT_FOUND: {
    status: 404,
    code: "400401",
    message: "客服账号不存在",
    english: "There is no agent with this account.",
  },
  NOT_ACCEPTABLE: {
    status: 406,
    code: "406001",
    message: "仅支持返回application/json",
    english: "The Accept header does not admit application/json, the only type of answer.",
  },
  ASSIGNMENT_FAILED: {
    status: 409,
    code: "400400",
    message: "分配客服失败",
    english: "The session could not be given to an agent.",
  },
  BODY_TOO_LARGE: {
    status: 413,
    code: "413001",
    message: "请求体超过大小限制",
    english: "The body of the request is too large.",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    code: "415001",
    message: "不支持的Content-Type",
    english: "The Content-Type of the request is not supported.",
  },
  QUOTA_EXCEEDED: {
    status: 429,
    code: "429001",
    message: "应用调用超过配额限制",
    english: "The application has used up its quota of calls, or has too many calls under way.",
  },
  INTERNAL: {
    status: 500,
    code: "500000",
    message: "服务内部错误,请稍后重试",
    english: "The service failed, or the card has another version than the call names.",
  },
} as const satisfies Record<string, { status: number; code: string; message: string; english: string }>;

/** Name of a row of {@link ERRORS}. */
export type ErrorKind = keyof typeof ERRORS;

/** An error that is more specific than its kind: it has the kind's status and code, and its own message. */
export interface ApiMessage {
  kind: ErrorKind;
  /** The message; a name in braces stands for a value. */
  message: string;
  /** The message in English, with the same names or fewer. */
  english: string;
}

/** The code of a successful envelope. */
export const SUCCESS_CODE = "000000";

/** The codes that a caller may retry, with backoff. */
export const RETRYABLE_CODES: ReadonlySet<string> = new Set([ERRORS.INTERNAL.code, ERRORS.QUOTA_EXCEEDED.code]);
