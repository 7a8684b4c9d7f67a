/** What a refusal says: the envelope of the answer, and what its head adds to it. */
export interface Refusal {
  httpStatus: number;
  code: string;
  message: string;
  reqNo: string;
  retryAfterSeconds: number | undefined;
}

/**
 * The service answered, and its answer is no: an envelope whose code is not `000000`. Nothing is wrong with the way
 * there; what to do depends on {@link ApiRefusedError.code} (docs/contract/errors.md). `message` is the service's own
 * text, to be shown or logged but never parsed.
 */
export class ApiRefusedError extends Error {
  override readonly name = "ApiRefusedError";
  readonly httpStatus: number;
  /** The code of the error table, for example `400008`. */
  readonly code: string;
  /** Names this request in the service's logs; log it, the operator will ask for it. */
  readonly reqNo: string;
  /** Seconds after which a repeat can succeed, when the service said so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.httpStatus = refusal.httpStatus;
    this.code = refusal.code;
    this.reqNo = refusal.reqNo;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
  }
}

/**
 * No verdict of the service arrived: the network failed, the time ran out, or what answered was not an envelope (a
 * proxy's error page, a redirect, a wrong address). The call may or may not have taken effect, so it is not repeated
 * for you; a message sent with a `clientMessageId` of your own can be sent again with the same one.
 */
export class TransportError extends Error {
  override readonly name = "TransportError";
  /** Status of the HTTP answer, if one came. */
  readonly httpStatus: number | undefined;

  constructor(message: string, options: { cause: unknown; httpStatus: number | undefined }) {
    super(message, { cause: options.cause });
    this.httpStatus = options.httpStatus;
  }
}
