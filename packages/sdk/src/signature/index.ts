export { canonicalString, MalformedQueryError, type SignedParts } from "@portico/protocol/canonical";
export type { VerifyWebhookRequest, WebhookSecret } from "../webhook/delivery-checks.ts";
export type * from "../webhook/events.ts";
export type { WebhookHeaders } from "../webhook/headers.ts";
export { type VerificationFailure, WebhookVerificationError } from "../webhook/verification-error.ts";
export { type RequestToSign, type SignedRequest, signRequest } from "./sign-request.ts";
export { verifyWebhook } from "./verify-webhook.ts";
