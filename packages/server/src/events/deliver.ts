import { OPEN_HEADERS, signWebhook } from "@portico/protocol/signature";
import type { Clock } from "../clock.ts";
import type { Config } from "../config/config.ts";
import type { Metrics } from "../metrics.ts";
import type { SecretBox } from "../secret-box.ts";
import { type AttemptResult, type Attempts, outcomeOf } from "./attempt.ts";
import type { ClaimedDelivery, DeliveryVerdict, Outcome } from "./delivery-store.ts";
import { OpenedSecrets } from "./opened-secrets.ts";
import type { Recipients, Subscription } from "./subscription-store.ts";

/** The type of every request to a callback (spec.md, "URL verification"). */
export const CALLBACK_CONTENT_TYPE = "application/json; charset=UTF-8";

/** Carries out one claimed delivery; records nothing. @throws DeliveryBrokenOff when `signal` ended it. */
export type Deliver = (delivery: ClaimedDelivery, recipients: Recipients, signal: AbortSignal) => Promise<Outcome>;

/** What a delivery is carried out with. */
export interface DeliveryParts {
  secretBox: SecretBox;
  attempts: Attempts;
  clock: Clock;
  config: Config;
  metrics: Metrics;
}

/** The service stopped before the attempt was over; the claim is to be given back. */
class DeliveryBrokenOff extends Error {
  override readonly name = "DeliveryBrokenOff";
}

/**
 * Makes the function that carries out a claimed delivery: sends the stored body with a fresh timestamp and signature, and
 * says what follows from the answer (spec.md, "Webhook event delivery").
 */
export function deliverer({ secretBox, attempts, clock, config, metrics }: DeliveryParts): Deliver {
  const secrets = new OpenedSecrets(secretBox);
  return async (delivery, recipients, signal) => {
    const listener = listenerFor(delivery, recipients);
    if (typeof listener === "string") return { dropped: listener };
    const result = await attempts.run(requestFor(delivery, listener, secrets, clock.now()), signal);
    if (result.reason === "aborted") throw new DeliveryBrokenOff(delivery.eventId);
    metrics.countAttempt(result.reason ?? statusClass(result.status));
    return { result, verdict: verdictOn(result, delivery, config.webhook.retryDelaysMs, clock.now()) };
  };
}

/** The subscription to deliver to; a text says why there is none. */
function listenerFor({ eventType }: ClaimedDelivery, { active, subscriptions }: Recipients): Subscription | string {
  if (!active) return "application-not-active";
  const subscription = subscriptions.get(eventType);
  if (subscription === undefined) return "no-subscription";
  return subscription.status === "ACTIVE" ? subscription : "subscription-inactive";
}

function requestFor(delivery: ClaimedDelivery, subscription: Subscription, secrets: OpenedSecrets, timestamp: number) {
  const { appId, eventType, callbackUrl } = subscription;
  const body = Buffer.from(delivery.body, "utf8");
  const headers = {
    "Content-Type": CALLBACK_CONTENT_TYPE,
    "User-Agent": "Portico-Webhook",
    [OPEN_HEADERS.appId]: appId,
    [OPEN_HEADERS.eventId]: delivery.eventId,
    [OPEN_HEADERS.eventType]: eventType,
    [OPEN_HEADERS.timestamp]: String(timestamp),
    [OPEN_HEADERS.signature]: signWebhook(secrets.secretOf(subscription), delivery.eventId, timestamp, body),
  };
  return { url: callbackUrl, body, headers };
}

function verdictOn(
  result: AttemptResult,
  { retryCount }: ClaimedDelivery,
  retryDelaysMs: readonly number[],
  now: number,
): DeliveryVerdict {
  const outcome = outcomeOf(result);
  if (outcome === "delivered") return { status: "DELIVERED", dueAt: null, retryCount };
  if (outcome === "failed") return { status: "FAILED", dueAt: null, retryCount };
  const delayMs = retryDelaysMs[retryCount];
  if (delayMs === undefined) return { status: "EXHAUSTED", dueAt: null, retryCount };
  return { status: "RETRYING", dueAt: now + delayMs, retryCount: retryCount + 1 };
}

function statusClass(status: number | null): string {
  return status === null ? "none" : `${Math.floor(status / 100)}xx`;
}
