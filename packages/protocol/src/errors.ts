/**
 * The error table of the open API (docs/contract/errors.md): one row per outcome, with the HTTP status, the code in
 * the envelope, and the message used when nothing more exact is known.
 */
export const ERRORS = {
  INVALID_REQUEST: { status: 400, code: "400006", message: "请求参数不合法" },
  UNAUTHENTICATED: { status: 401, code: "400001", message: "身份认证失败" },
  APP_NOT_ACTIVE: { status: 403, code: "400005", message: "应用未启用" },
  SCOPE_MISSING: { status: 403, code: "400007", message: "所需的开放平台Scope未被授权" },
  FORBIDDEN: { status: 403, code: "400008", message: "无权访问该资源" },
  VISITOR_DISABLED: { status: 403, code: "400101", message: "访客已禁用" },
  VISITOR_NOT_FOUND: { status: 404, code: "400100", message: "访客不存在" },
  SESSION_NOT_FOUND: { status: 404, code: "400300", message: "会话不存在" },
  AGENT_NOT_FOUND: { status: 404, code: "400401", message: "客服账号不存在" },
  NOT_ACCEPTABLE: { status: 406, code: "406001", message: "仅支持返回application/json" },
  ASSIGNMENT_FAILED: { status: 409, code: "400400", message: "分配客服失败" },
  BODY_TOO_LARGE: { status: 413, code: "413001", message: "请求体超过大小限制" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, code: "415001", message: "不支持的Content-Type" },
  QUOTA_EXCEEDED: { status: 429, code: "429001", message: "应用调用超过配额限制" },
  INTERNAL: { status: 500, code: "500000", message: "服务内部错误,请稍后重试" },
} as const satisfies Record<string, { status: number; code: string; message: string }>;

/** Name of a row of {@link ERRORS}. */
export type ErrorKind = keyof typeof ERRORS;

/** The code of every success (docs/contract/README.md#in-every-answer). */
export const SUCCESS_CODE = "000000";

/** The only codes a caller may retry, with backoff (docs/contract/errors.md). */
export const RETRYABLE_CODES: ReadonlySet<string> = new Set([ERRORS.INTERNAL.code, ERRORS.QUOTA_EXCEEDED.code]);

/** What an {@link ApiError} may carry beside its row and message. */
export interface ApiErrorOptions {
  /** Why, for the log and the request log; never shown to the caller. */
  reason?: string;
  /** Seconds until a retry can succeed; becomes the `Retry-After` header. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** A refusal that the caller is told about: a row of the error table with its message. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly kind: ErrorKind;
  readonly reason: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: ErrorKind, message: string = ERRORS[kind].message, options: ApiErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.reason = options.reason;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return ERRORS[this.kind].status;
  }

  get code(): string {
    return ERRORS[this.kind].code;
  }
}
