/** Names of the headers of a signed call (docs/contract/signing.md) and of a webhook delivery. */
export const OPEN_HEADERS = {
  appId: "X-Open-App-Id",
  credentialId: "X-Open-Credential-Id",
  timestamp: "X-Open-Timestamp",
  nonce: "X-Open-Nonce",
  signature: "X-Open-Signature",
  eventId: "X-Open-Event-Id",
  eventType: "X-Open-Event-Type",
} as const;
