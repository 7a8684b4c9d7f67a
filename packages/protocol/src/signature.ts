import { createHash, createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import { canonicalString, type SignedParts } from "./canonical.ts";
import { OPEN_HEADERS } from "./open-headers.ts";

export { OPEN_HEADERS } from "./open-headers.ts";

/** An HMAC key: a secret as shown to the developer, used as its UTF-8 bytes, or a KeyObject of these bytes. */
export type Secret = string | KeyObject;

/** The parts of a request to sign, with the body in place of its hash. */
export interface RequestToSign extends Omit<SignedParts, "bodyHash" | "timestamp"> {
  /** Milliseconds since the epoch. */
  timestamp: number;
  /** The exact bytes that will be sent. */
  body: string | Uint8Array;
  appSecret: Secret;
}

/** A signed request, with intermediate results that help to explain a mismatch. */
export interface SignedRequest {
  bodyHash: string;
  canonicalString: string;
  signature: string;
  /** The five `X-Open-*` headers to send. */
  headers: Record<string, string>;
}

/** Lower-case hex SHA-256. Text is hashed as its UTF-8 bytes. */
export function sha256Hex(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** Lower-case hex HMAC-SHA256 of the UTF-8 bytes of `text`. */
export function hmacSha256Hex(secret: Secret, text: string): string {
  return createHmac("sha256", secret).update(text, "utf8").digest("hex");
}

/** Signs a request of the open API (docs/contract/signing.md). */
export function signRequest(request: RequestToSign): SignedRequest {
  const bodyHash = sha256Hex(request.body);
  const timestamp = String(request.timestamp);
  const canonical = canonicalString({ ...request, timestamp, bodyHash });
  const signature = hmacSha256Hex(request.appSecret, canonical);
  return {
    bodyHash,
    canonicalString: canonical,
    signature,
    headers: {
      [OPEN_HEADERS.appId]: request.appId,
      [OPEN_HEADERS.credentialId]: request.credentialId,
      [OPEN_HEADERS.timestamp]: timestamp,
      [OPEN_HEADERS.nonce]: request.nonce,
      [OPEN_HEADERS.signature]: signature,
    },
  };
}

/**
 * Whether `received` is the lower-case hex HMAC-SHA256 of `text`, in time independent of where they differ. A tag of
 * another length, e.g. a truncated one, does not match.
 */
export function verifyHmac(secret: Secret, text: string, received: string): boolean {
  const expected = Buffer.from(hmacSha256Hex(secret, text), "latin1");
  const given = Buffer.from(received, "utf8");
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/**
 * The signature of a webhook delivery (docs/contract/signing.md#webhook-deliveries) over event id, timestamp and raw
 * body.
 */
export function signWebhook(secret: Secret, eventId: string, timestamp: number, body: string | Uint8Array): string {
  return createHmac("sha256", secret).update(webhookText(eventId, timestamp), "utf8").update(body).digest("hex");
}

/** What stands before the raw body in the text that the signature of a webhook delivery is of. */
export function webhookText(eventId: string, timestamp: number): string {
  return `${eventId}\n${timestamp}\n`;
}
