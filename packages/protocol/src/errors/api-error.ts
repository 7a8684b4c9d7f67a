import { type ApiErrorCode, errorRow, type Stated, wordsOf } from "./fault.ts";
import { ERRORS, type ErrorKind } from "./open.ts";

/** Additional properties of an error. */
export interface ApiErrorOptions {
  /** The reason, for the logs only; never shown to the caller. */
  reason?: string;
  /** Seconds after which a retry can succeed; becomes the `Retry-After` header. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** A refusal for the caller: a row of the error tables, with the values of its message. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly errorCode: ApiErrorCode;
  readonly kind: ErrorKind;
  readonly reason: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(stated: Stated<ApiErrorCode>, options: ApiErrorOptions = {}) {
    const { errorCode, message } = wordsOf<ApiErrorCode>(stated);
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.errorCode = errorCode;
    this.kind = errorRow(errorCode).kind ?? "INTERNAL";
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
