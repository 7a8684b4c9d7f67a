import {
  bytesOf,
  checkTimestamp,
  secretList,
  TOLERANCE_MS,
  type VerifyWebhookRequest,
  wrongSignature,
} from "../webhook/delivery-checks.ts";
import type { WebhookEvent } from "../webhook/events.ts";
import { deliveryHeaders } from "../webhook/headers.ts";
import { parseEvent } from "../webhook/parse-event.ts";
import { isHmacHex, ownBytes } from "./hmac.ts";

/**
 * Verifies that a request is a delivery of the service and returns its event
 * (docs/contract/signing.md#webhook-deliveries), by WebCrypto: in workers and wherever `node:crypto` is not at hand.
 * Signatures are compared in constant time. Repeated deliveries are not detected.
 *
 * @throws WebhookVerificationError whose `reason` and message say what is wrong.
 * @throws TypeError when there is no secret, or the body is neither bytes nor text.
 *
 * @example
 * const event = await verifyWebhook({ headers: request.headers, body: await request.text(), secret });
 */
export async function verifyWebhook(request: VerifyWebhookRequest): Promise<WebhookEvent> {
  const { now = Date.now(), toleranceMs = TOLERANCE_MS } = request;
  const secrets = secretList(request.secret);
  const body = bytesOf(request.body);
  const headers = deliveryHeaders(request.headers);
  checkTimestamp(headers.timestamp, now, toleranceMs);
  const head = ownBytes(`${headers.eventId}\n${headers.timestamp}\n`);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  // Every secret is tried, so that the duration does not reveal which one matches.
  const matches = await Promise.all(secrets.map((secret) => isHmacHex(secret, signed, headers.signature)));
  if (!matches.includes(true)) throw wrongSignature();
  return parseEvent(body, headers);
}
