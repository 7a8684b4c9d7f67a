import type { WebhookHeaders } from "./headers.ts";
import type { WebhookOptions } from "./options.ts";
import { type WebhookAnswer, WebhookReceiver } from "./receiver.ts";

/** A request to a webhook, from any server. */
export interface WebhookRequest {
  method: string;
  headers: WebhookHeaders;
  /** The raw body, unparsed. */
  body: Uint8Array | string;
}

/**
 * A webhook receiver without an HTTP server, where `nodeHttpHandler`, `fastifyWebhook` and `fetchHandler` do not fit (a
 * serverless function, for example). It answers
 *
 * - 200 when the listener is done, for a repeated event, for an event without listener, and for the verification of the
 *   callback URL;
 * - 425 for a signature that matches no secret and for a timestamp out of tolerance: the service delivers again, and by
 *   then a rotated secret may have been deployed;
 * - 401 when the headers of a delivery are missing, 400 for a signed body that is not an event;
 * - 405, 413 and 415 for a wrong method, a body that is too large, and a wrong content type;
 * - 409 for an event that another process is handling, and 500 when a listener fails: the service delivers both again.
 *
 * It throws nothing except what `onError` throws.
 */
export function webhookHandler(options: WebhookOptions): (request: WebhookRequest) => Promise<WebhookAnswer> {
  const receiver = new WebhookReceiver(options);
  return ({ method, headers, body }) => {
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
    return receiver.answer({
      method,
      headers,
      readBody: async (maxBytes) => (bytes.byteLength > maxBytes ? null : bytes),
    });
  };
}
