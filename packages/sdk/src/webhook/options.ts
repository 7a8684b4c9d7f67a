import type { EventType } from "@portico/protocol";
import type { EventDeduplication } from "./deduplication.ts";
import type { WebhookEvent, WebhookEventOf } from "./events.ts";
import type { WebhookSecret } from "./verify.ts";

/** Finds the secrets that may have signed for an application; undefined when it is not known. */
export type WebhookSecretLookup = (
  appId: string,
  eventType: string,
) => WebhookSecret | undefined | Promise<WebhookSecret | undefined>;

/**
 * Handles an event. The service takes the event for delivered once this is done, delivers it again when this fails, and
 * gives up waiting after 8 seconds: leave what takes long to a queue.
 */
export type EventListener<Event extends WebhookEvent = WebhookEvent> = (event: Event) => unknown;

/** How a receiver of webhooks works. */
export interface WebhookOptions {
  /**
   * The secret of the subscription; several, any of which may have signed, such as the old one and the new one around a
   * rotation; or what finds them, at each delivery.
   */
  secret: WebhookSecret | WebhookSecretLookup;
  /** Listeners by type of event. */
  on?: { [Type in EventType]?: EventListener<WebhookEventOf<Type>> };
  /** Listens to events of every type that is not in `on`. Without it, they are acknowledged and dropped. */
  onEvent?: EventListener;
  /**
   * Told of all that goes wrong: what a listener fails with, and a `WebhookVerificationError` for each request that is
   * refused. Left out, all but those refusals go to standard error; they are told to the sender alone.
   */
  onError?: (error: unknown) => void;
  /** Left out, `memoryDeduplication()`, which serves a receiver of one process. */
  deduplication?: EventDeduplication;
  /** Now, in milliseconds since the epoch. */
  clock?: () => number;
  /** Default 5 minutes. */
  toleranceMs?: number;
  /** Default 1 MiB. */
  maxBodyBytes?: number;
}
