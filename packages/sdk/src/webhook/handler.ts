import type { WebhookHeaders } from "./headers.ts";
import type { WebhookOptions } from "./options.ts";
import { type WebhookAnswer, WebhookReceiver } from "./receiver.ts";

/** A request to a webhook, whatever it came through. */
export interface WebhookRequest {
  method: string;
  headers: WebhookHeaders;
  /** The body exactly as it came over the wire. */
  body: Uint8Array | string;
}

/**
 * The receiver of webhooks without an HTTP server, for where none of `nodeHttpHandler`, `fastifyWebhook` and
 * `fetchHandler` fits, such as a serverless function. Answers
 *
 * - 200 when the listener is done, a repeated event, one that nobody listens to, and the verification of the address;
 * - 425 for a signature that no secret gives and for a timestamp out of tolerance: the service delivers again, by when
 *   the secret may be deployed that a rotation has brought;
 * - 401 for what lacks the headers of a delivery, 400 for a signed body that is no event;
 * - 405, 413 and 415 for another method, a larger body and another type than those of deliveries;
 * - 409 for an event that another process is handling, and 500 when a listener fails: the service delivers both again.
 *
 * Nothing is thrown at the caller but what `onError` throws.
 */
export function webhookHandler(options: WebhookOptions): (request: WebhookRequest) => Promise<WebhookAnswer> {
  const receiver = new WebhookReceiver(options);
  return ({ method, headers, body }) => {
    const bytes = typeof body === "string" ? Buffer.from(body, "utf8") : body;
    return receiver.answer({
      method,
      headers,
      readBody: async (maxBytes) => (bytes.byteLength > maxBytes ? null : bytes),
    });
  };
}
