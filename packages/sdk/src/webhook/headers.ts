import { OPEN_HEADERS } from "@portico/protocol/signature";
import { WebhookVerificationError } from "./verification-error.ts";

/** Headers of a request: a `Headers`, or a record as Node gives it. Names match in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** What the headers of a delivery say (docs/contract/signing.md#webhook-deliveries). */
export interface DeliveryHeaders {
  appId: string;
  eventId: string;
  eventType: string;
  /** As it was sent. */
  timestamp: string;
  signature: string;
}

const DELIVERY_HEADERS = ["appId", "eventId", "eventType", "timestamp", "signature"] as const;

/** The value of a header that is there once; null otherwise. */
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

/** Whether none of the headers of a delivery is there: so comes a request that verifies the address. */
export function lacksDeliveryHeaders(headers: WebhookHeaders): boolean {
  return DELIVERY_HEADERS.every((name) => headerOf(headers, OPEN_HEADERS[name]) === null);
}

/**
 * What the headers of a delivery say.
 *
 * @throws WebhookVerificationError "missing-header" unless each is there, once, and not empty.
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
