/**
 * What is wrong with a delivery: a header that is not there exactly once, a timestamp out of tolerance, a signature
 * that no secret gives, or a body that is properly signed but is no event, or not the one that the headers name.
 */
export type VerificationFailure = "missing-header" | "timestamp" | "signature" | "body";

/** A request is no delivery of the service. `message` says why, and may be shown to the sender: it holds no secret. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  readonly reason: VerificationFailure;

  constructor(reason: VerificationFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}
