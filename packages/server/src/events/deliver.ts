import { OPEN_HEADERS, signWebhook } from "@portico/protocol/signature";
import type { Clock } from "../clock.ts";
import type { Config } from "../config/config.ts";
import type { Metrics } from "../metrics.ts";
import type { SecretBox } from "../secret-box.ts";
import type { Storage } from "../storage/storage.ts";
import { type AttemptResult, type Attempts, outcomeOf } from "./attempt.ts";
import { type ClaimedDelivery, type DeliveryVerdict, dropDelivery, recordAttempt } from "./delivery-store.ts";
import { type Deliver, laneOf } from "./dispatcher.ts";
import { type Recipients, type Subscription, secretOwner } from "./subscription-store.ts";

/** The type of every request to a callback (spec.md, "URL verification"). */
export const CALLBACK_CONTENT_TYPE = "application/json; charset=UTF-8";

/** What a delivery is carried out with. */
export interface DeliveryParts {
  storage: Storage;
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
 * Makes the function that carries out a claimed delivery: takes the subscription as it was read with the claim, sends the stored body with a
 * fresh timestamp and signature, and records what came of it (spec.md, "Webhook event delivery").
 */
export function deliverer(parts: DeliveryParts): Deliver {
  return async (appId, delivery, recipients, attempted, signal) => {
    const { storage, attempts, metrics } = parts;
    const listener = listenerFor(delivery, recipients);
    if (typeof listener === "string") {
      await storage.write((tx) => dropDelivery(tx, delivery, listener), laneOf(appId));
      return false;
    }
    const request = requestFor(parts, listener, delivery);
    const result = await attempts.run(request, signal);
    if (result.reason === "aborted") throw new DeliveryBrokenOff(delivery.eventId);
    await attempted(result);
    metrics.countAttempt(result.reason ?? statusClass(result.status));
    const verdict = verdictOn(result, delivery, parts);
    await storage.write((tx) => recordAttempt(tx, appId, delivery, result, verdict), laneOf(appId));
    return true;
  };
}

/** The subscription to deliver to; a text says why there is none. */
function listenerFor({ eventType }: ClaimedDelivery, { active, subscriptions }: Recipients): Subscription | string {
  if (!active) return "application-not-active";
  const subscription = subscriptions.get(eventType);
  if (subscription === undefined) return "no-subscription";
  return subscription.status === "ACTIVE" ? subscription : "subscription-inactive";
}

function requestFor({ secretBox, clock }: DeliveryParts, subscription: Subscription, delivery: ClaimedDelivery) {
  const { appId, eventType, callbackUrl, secretBox: box } = subscription;
  const body = Buffer.from(delivery.body, "utf8");
  const timestamp = clock.now();
  const secret = secretBox.open(box, secretOwner(appId, eventType));
  const headers = {
    "Content-Type": CALLBACK_CONTENT_TYPE,
    "User-Agent": "Portico-Webhook",
    [OPEN_HEADERS.appId]: appId,
    [OPEN_HEADERS.eventId]: delivery.eventId,
    [OPEN_HEADERS.eventType]: eventType,
    [OPEN_HEADERS.timestamp]: String(timestamp),
    [OPEN_HEADERS.signature]: signWebhook(secret, delivery.eventId, timestamp, body),
  };
  return { url: callbackUrl, body, headers };
}

function verdictOn(result: AttemptResult, { retryCount }: ClaimedDelivery, parts: DeliveryParts): DeliveryVerdict {
  const outcome = outcomeOf(result);
  if (outcome === "delivered") return { status: "DELIVERED", dueAt: null, retryCount };
  if (outcome === "failed") return { status: "FAILED", dueAt: null, retryCount };
  const delayMs = parts.config.webhook.retryDelaysMs[retryCount];
  if (delayMs === undefined) return { status: "EXHAUSTED", dueAt: null, retryCount };
  return { status: "RETRYING", dueAt: parts.clock.now() + delayMs, retryCount: retryCount + 1 };
}

function statusClass(status: number | null): string {
  return status === null ? "none" : `${Math.floor(status / 100)}xx`;
}
