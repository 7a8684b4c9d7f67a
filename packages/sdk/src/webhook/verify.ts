import { timingSafeEqual } from "node:crypto";
import { signWebhook } from "@portico/protocol/signature";
import type { WebhookEvent } from "./events.ts";
import { type DeliveryHeaders, deliveryHeaders, type WebhookHeaders } from "./headers.ts";
import { parseEvent } from "./parse-event.ts";
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
  now?: number;
  /** Default: 5 minutes. */
  toleranceMs?: number;
}

/**
 * Verifies that a request is a delivery of the service and returns its event
 * (docs/contract/signing.md#webhook-deliveries). Signatures are compared in constant time. Repeated deliveries are not
 * detected.
 *
 * @throws WebhookVerificationError whose `reason` and message say what is wrong.
 * @throws TypeError when there is no secret, or the body is neither bytes nor text.
 *
 * @example
 * const event = verifyWebhook({ headers: request.headers, body: rawBody, secret });
 * if (event.eventType === "im.message.receive_v1") console.log(event.message.content);
 */
export function verifyWebhook(request: VerifyWebhookRequest): WebhookEvent {
  const { now = Date.now(), toleranceMs = TOLERANCE_MS } = request;
  const secrets = secretList(request.secret);
  const body = bytesOf(request.body);
  const headers = deliveryHeaders(request.headers);
  checkTimestamp(headers.timestamp, now, toleranceMs);
  checkSignature(headers, body, secrets);
  return parseEvent(body, headers);
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

function bytesOf(body: Uint8Array | string): Uint8Array {
  if (typeof body === "string") return Buffer.from(body, "utf8");
  if (body instanceof Uint8Array) return body;
  throw new TypeError("body must be the raw bytes or text of the request, not what a parser made of it");
}

/** Accepts only digits in the service's own notation: any other would not be what was signed. */
function checkTimestamp(timestamp: string, now: number, toleranceMs: number): void {
  if (!/^[1-9]\d{0,14}$/.test(timestamp)) {
    throw new WebhookVerificationError("timestamp", "the timestamp is not a time in epoch milliseconds");
  }
  const aheadMs = Number(timestamp) - now;
  if (Math.abs(aheadMs) <= toleranceMs) return;
  const distance = `${Math.abs(aheadMs)} ms ${aheadMs < 0 ? "behind" : "ahead of"}`;
  const message = `the timestamp is ${distance} the receiver's clock; ${toleranceMs} ms are tolerated`;
  throw new WebhookVerificationError("timestamp", message);
}

/** Tries every secret, so that the duration does not reveal which one matches. */
function checkSignature(headers: DeliveryHeaders, body: Uint8Array, secrets: readonly string[]): void {
  const { eventId, timestamp } = headers;
  const given = Buffer.from(headers.signature, "utf8");
  const matches = secrets.map((secret) => {
    const expected = Buffer.from(signWebhook(secret, eventId, Number(timestamp), body), "latin1");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (matches.includes(true)) return;
  throw new WebhookVerificationError("signature", "the signature is not that of this body under the webhook secret");
}
