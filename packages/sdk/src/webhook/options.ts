import type { EventType } from "@portico/protocol/events";
import type { EventDeduplication } from "./deduplication.ts";
import type { WebhookSecret } from "./delivery-checks.ts";
import type { WebhookEvent, WebhookEventOf } from "./events.ts";

/** Finds the secrets that may have signed a delivery for an application; undefined when the application is unknown. */
export type WebhookSecretLookup = (
  appId: string,
  eventType: string,
) => WebhookSecret | undefined | Promise<WebhookSecret | undefined>;

/**
 * Handles an event. When it returns, the service considers the event delivered; when it throws, the service delivers it
 * again. The service waits 8 seconds at most, so hand slow work to a queue.
 */
export type EventListener<Event extends WebhookEvent = WebhookEvent> = (event: Event) => unknown;

/** Options of a webhook receiver. */
export interface WebhookOptions {
  /**
   * The secret of the subscription; or several, any of which may have signed (the old and the new one during a
   * rotation); or a function that finds them for each delivery.
   */
  secret: WebhookSecret | WebhookSecretLookup;
  /** Listeners by event type. */
  on?: { [Type in EventType]?: EventListener<WebhookEventOf<Type>> };
  /** Receives events of all types that are not in `on`. Without it, they are acknowledged and dropped. */
  onEvent?: EventListener;
  /**
   * Receives all errors: those of listeners, and a `WebhookVerificationError` for each refused request. By default,
   * errors go to standard error, except the refusals, which only the sender sees.
   */
  onError?: (error: unknown) => void;
  /** Default: `memoryDeduplication()`, which is for a receiver with a single process. */
  deduplication?: EventDeduplication;
  /** The current time in epoch milliseconds. */
  clock?: () => number;
  /** Default 5 minutes. */
  toleranceMs?: number;
  /** Default 1 MiB. */
  maxBodyBytes?: number;
}
