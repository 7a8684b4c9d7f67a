/** The content of a refusal: the answer's envelope and relevant headers. */
export interface Refusal {
  httpStatus: number;
  code: string;
  message: string;
  reqNo: string;
  retryAfterSeconds: number | undefined;
}

/**
 * The service answered and refused the call: the envelope's code is not `000000`. The connection works; how to react
 * depends on {@link ApiRefusedError.code} (docs/contract/errors.md). `message` is the service's text, which may be
 * shown or logged but must not be parsed.
 */
export class ApiRefusedError extends Error {
  override readonly name = "ApiRefusedError";
  readonly httpStatus: number;
  /** The code of the error table, for example `400008`. */
  readonly code: string;
  /** Identifies this request in the service's logs. Log it: the operator will ask for it. */
  readonly reqNo: string;
  /** Seconds after which a retry can succeed, if the service named them. */
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
 * No valid answer of the service arrived: the network failed, the timeout passed, or the answer was not an envelope (a
 * proxy's error page, a redirect, a wrong URL). The call may or may not have taken effect, so it is not repeated
 * automatically. A message with your own `clientMessageId` can safely be sent again with the same id.
 */
export class TransportError extends Error {
  override readonly name = "TransportError";
  /** HTTP status of the answer, if there was one. */
  readonly httpStatus: number | undefined;

  constructor(message: string, options: { cause: unknown; httpStatus: number | undefined }) {
    super(message, { cause: options.cause });
    this.httpStatus = options.httpStatus;
  }
}
