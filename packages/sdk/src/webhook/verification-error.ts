/**
 * Why a delivery is invalid: a header that does not occur exactly once, a timestamp out of tolerance, a signature that
 * matches no secret, or a signed body that is not an event or not the one that the headers name.
 */
export type VerificationFailure = "missing-header" | "timestamp" | "signature" | "body";

/**
 * The request is not a delivery of the service. `message` gives the reason and may be shown to the sender: it contains
 * no secret.
 */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  readonly reason: VerificationFailure;

  constructor(reason: VerificationFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}
