import { timingSafeEqual } from "node:crypto";
import { signWebhook } from "@portico/protocol/signature";
import {
  bytesOf,
  checkTimestamp,
  secretList,
  TOLERANCE_MS,
  type VerifyWebhookRequest,
  wrongSignature,
} from "./delivery-checks.ts";
import type { WebhookEvent } from "./events.ts";
import { type DeliveryHeaders, deliveryHeaders } from "./headers.ts";
import { parseEvent } from "./parse-event.ts";

/**
 * Verifies that a request is a delivery of the service and returns its event
 * (docs/contract/signing.md#webhook-deliveries). Signatures are compared in constant time. Repeated deliveries are not
 * detected. Where `node:crypto` is not at hand, `@portico/sdk/signature` has the same by WebCrypto, as a promise.
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

/** Tries every secret, so that the duration does not reveal which one matches. */
function checkSignature(headers: DeliveryHeaders, body: Uint8Array, secrets: readonly string[]): void {
  const { eventId, timestamp } = headers;
  const encoder = new TextEncoder();
  const given = encoder.encode(headers.signature);
  const matches = secrets.map((secret) => {
    const expected = encoder.encode(signWebhook(secret, eventId, Number(timestamp), body));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!matches.includes(true)) throw wrongSignature();
}
