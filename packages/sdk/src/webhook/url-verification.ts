import { lacksDeliveryHeaders, type WebhookHeaders } from "./headers.ts";

const MAX_CHALLENGE_LENGTH = 256;
/** Enough for the longest challenge with every character escaped; a longer body is not parsed. */
const MAX_BODY_BYTES = 4096;

/**
 * The challenge of a request that verifies the callback URL (docs/contract/events.md#verifying-an-address); null for
 * other requests. It carries no `X-Open-*` headers and proves nothing: answer it and do nothing else.
 */
export function challengeOf(headers: WebhookHeaders, body: Uint8Array): string | null {
  if (body.byteLength > MAX_BODY_BYTES || !lacksDeliveryHeaders(headers)) return null;
  const value = parse(body);
  if (typeof value !== "object" || value === null || Object.keys(value).length !== 2) return null;
  if (!("type" in value && "challenge" in value) || value.type !== "url_verification") return null;
  const { challenge } = value;
  return typeof challenge === "string" && challenge.length <= MAX_CHALLENGE_LENGTH ? challenge : null;
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return null;
  }
}
