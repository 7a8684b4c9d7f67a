import type { WebhookHeaders } from "./headers.ts";
import { WebhookVerificationError } from "./verification-error.ts";

/** The default tolerance of timestamps (docs/contract/signing.md#webhook-deliveries). */
export const TOLERANCE_MS = 5 * 60_000;

/**
 * A webhook secret as it was shown, or several, any of which may have signed: one per event type, or the old and the
 * new one as long as earlier deliveries may arrive after a rotation.
 */
export type WebhookSecret = string | readonly string[];

/** A request to verify. */
export interface VerifyWebhookRequest {
  headers: WebhookHeaders;
  /** The raw body. JSON that was parsed and serialized again has other bytes. */
  body: Uint8Array | string;
  /** The subscription's secret, not the app secret. */
  secret: WebhookSecret;
  /** Epoch milliseconds. Default: the current time. */
  now?: number | undefined;
  /** Default: 5 minutes. */
  toleranceMs?: number | undefined;
}

/**
 * The secrets that may have signed.
 *
 * @throws TypeError when there is none, or an empty one, with which anybody could sign.
 */
export function secretList(secret: WebhookSecret): readonly string[] {
  const secrets = typeof secret === "string" ? [secret] : secret;
  const usable = Array.isArray(secrets) && secrets.length > 0;
  if (!usable || secrets.some((each) => typeof each !== "string" || each === "")) {
    throw new TypeError("secret must be a webhook secret, or a list of them, none of them empty");
  }
  return secrets;
}

/**
 * The bytes of a raw body.
 *
 * @throws TypeError when it is a parsed one.
 */
export function bytesOf(body: Uint8Array | string): Uint8Array {
  if (typeof body === "string") return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  throw new TypeError("body must be the raw bytes or text of the request, not what a parser made of it");
}

/**
 * Accepts only digits in the service's own notation: any other would not be what was signed.
 *
 * @throws WebhookVerificationError "timestamp".
 */
export function checkTimestamp(timestamp: string, now: number, toleranceMs: number): void {
  if (!/^[1-9]\d{0,14}$/.test(timestamp)) {
    throw new WebhookVerificationError("timestamp", "the timestamp is not a time in epoch milliseconds");
  }
  const aheadMs = Number(timestamp) - now;
  if (Math.abs(aheadMs) <= toleranceMs) return;
  const distance = `${Math.abs(aheadMs)} ms ${aheadMs < 0 ? "behind" : "ahead of"}`;
  const message = `the timestamp is ${distance} the receiver's clock; ${toleranceMs} ms are tolerated`;
  throw new WebhookVerificationError("timestamp", message);
}

/** The error for a signature that matches no secret. */
export function wrongSignature(): WebhookVerificationError {
  return new WebhookVerificationError("signature", "the signature is not that of this body under the webhook secret");
}
