import { OPEN_HEADERS } from "@portico/protocol/open-headers";
import { WebhookVerificationError } from "./verification-error.ts";

/** Request headers: a `Headers` object, or a record as in Node. Names are case-insensitive. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The headers of a delivery (docs/contract/signing.md#webhook-deliveries). */
export interface DeliveryHeaders {
  appId: string;
  eventId: string;
  eventType: string;
  /** The original text. */
  timestamp: string;
  signature: string;
}

const DELIVERY_HEADERS = ["appId", "eventId", "eventType", "timestamp", "signature"] as const;

/** The value of a header that occurs exactly once; otherwise null. */
export function headerOf(headers: WebhookHeaders, name: string): string | null {
  if (hasGet(headers)) return headers.get(name);
  const wanted = name.toLowerCase();
  const [value, ...more] = Object.entries(headers).flatMap(([key, content = []]) =>
    key.toLowerCase() === wanted ? content : [],
  );
  return value === undefined || more.length > 0 ? null : value;
}

function hasGet(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === "function";
}

/** Whether all headers of a delivery are missing, as in a request that verifies the callback URL. */
export function lacksDeliveryHeaders(headers: WebhookHeaders): boolean {
  return DELIVERY_HEADERS.every((name) => headerOf(headers, OPEN_HEADERS[name]) === null);
}

/**
 * Reads the headers of a delivery.
 *
 * @throws WebhookVerificationError "missing-header" unless each occurs exactly once and is not empty.
 */
export function deliveryHeaders(headers: WebhookHeaders): DeliveryHeaders {
  const value = (name: (typeof DELIVERY_HEADERS)[number]) => {
    const found = headerOf(headers, OPEN_HEADERS[name]);
    if (found !== null && found !== "") return found;
    throw new WebhookVerificationError("missing-header", `the header ${OPEN_HEADERS[name]} must be there, once`);
  };
  return {
    appId: value("appId"),
    eventId: value("eventId"),
    eventType: value("eventType"),
    timestamp: value("timestamp"),
    signature: value("signature"),
  };
}
