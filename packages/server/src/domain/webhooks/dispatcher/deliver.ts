import type { DropReason } from "@portico/protocol";
import { OPEN_HEADERS, webhookText } from "@portico/protocol/signature";
import type { Clock } from "../../../platform/clock/clock.ts";
import type { Config } from "../../../platform/config/config.ts";
import type { HmacKey } from "../../../platform/crypto/hmac-key.ts";
import type { SecretBox } from "../../../platform/crypto/secret-box.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import type { TracedSpan, Tracing } from "../../../platform/tracing/tracing.ts";
import { type Attempts, outcomeOf } from "../attempts/attempt.ts";
import type { AttemptResult } from "../attempts/attempt-result.ts";
import { CALLBACK_HEADERS } from "../attempts/callback-headers.ts";
import type { ClaimedDelivery, DeliveryVerdict } from "../claimed-delivery.ts";
import type { DueClock } from "../due-clock.ts";
import type { Outcome } from "../settle-claims.ts";
import type { Recipients, Subscription } from "../subscription-store.ts";
import { OpenedSecrets } from "./opened-secrets.ts";

/**
 * Attempts one claimed delivery, without recording the result.
 *
 * @param recipients reads the application's current subscriptions.
 * @throws DeliveryInterrupted when `signal` is aborted.
 */
export type Deliver = (
  appId: string,
  delivery: ClaimedDelivery,
  recipients: () => Promise<Recipients>,
  signal: AbortSignal,
) => Promise<Outcome>;

/** The delay before a delivery is tried again for which this service had no free connection. */
const POSTPONED_MS = 1_000;

/** The dependencies of attempts. */
export interface DeliveryParts {
  secretBox: SecretBox;
  attempts: Attempts;
  clock: Clock;
  dueClock: DueClock;
  config: Config;
  metrics: Metrics;
  /** Null: deliveries are not traced. */
  tracing: Tracing | null;
}

/** The service stopped before the attempt had ended; the claim must be released. */
class DeliveryInterrupted extends Error {
  override readonly name = "DeliveryInterrupted";
}

/** The subscription has changed since the attempt began. */
class SubscriptionChanged extends Error {
  override readonly name = "SubscriptionChanged";
}

/**
 * Returns the function that attempts a claimed delivery: it sends the stored body with a fresh timestamp and signature,
 * and derives the next state from the answer (docs/contract/events.md#attempts-and-retries).
 */
export function deliverer({ secretBox, attempts, clock, dueClock, config, metrics, tracing }: DeliveryParts): Deliver {
  const secrets = new OpenedSecrets(secretBox);
  return async (appId, delivery, recipients, signal) => {
    const listener = listenerFor(delivery, await recipients());
    if (typeof listener === "string") return { dropped: listener };
    const { callbackUrl } = listener;
    if (callbackUrl === null) return { toSocket: true };
    const span = tracing && spanOf(tracing, appId, delivery, callbackUrl);
    const body = Buffer.from(delivery.body, "utf8");
    // Read again: the secret may have been rotated while the connection was opened.
    const headers = async () => {
      const current = listenerFor(delivery, await recipients());
      if (typeof current === "string" || current.callbackUrl !== callbackUrl) throw new SubscriptionChanged();
      const signed = headersFor(delivery, current, secrets.secretOf(current), clock.now());
      return span === null ? signed : { ...signed, ...span.headers() };
    };
    let result: AttemptResult;
    try {
      result = await attempts.run({ pool: appId, url: callbackUrl, body, headers }, signal);
      endSpan(span, result);
    } catch (error) {
      endSpan(span, { status: null, reason: "interrupted" });
      if (error instanceof SubscriptionChanged) return { postponedTo: dueClock.now() };
      throw error;
    }
    if (result.reason === "aborted") throw new DeliveryInterrupted(delivery.eventId);
    if (result.reason === "busy") return { postponedTo: dueClock.now() + POSTPONED_MS };
    metrics.countAttempt(result.reason ?? statusClass(result.status));
    return { result, verdict: verdictOn(outcomeOf(result), delivery, config.webhook.retryDelaysMs, dueClock) };
  };
}

function spanOf(tracing: Tracing, appId: string, { eventId, eventType, retryCount }: ClaimedDelivery, url: string) {
  return tracing.outgoing("deliver webhook", {
    "http.request.method": "POST",
    // Without path and query, which may hold secrets of the receiver.
    "server.address": new URL(url).hostname,
    "http.request.resend_count": retryCount,
    "portico.app_id": appId,
    "portico.event_id": eventId,
    "portico.event_type": eventType,
  });
}

function endSpan(
  span: TracedSpan | null,
  { status, reason }: Pick<AttemptResult, "status"> & { reason: string | null },
) {
  if (status !== null) span?.set({ "http.response.status_code": status });
  if (reason !== null || status === null || status >= 400) span?.fail(reason ?? String(status));
  span?.end();
}

/** The subscription to deliver to; a string gives the reason when there is none. */
export function listenerFor(
  { eventType }: Pick<ClaimedDelivery, "eventType">,
  { active, subscriptions }: Recipients,
): Subscription | DropReason {
  if (!active) return "application-not-active";
  const subscription = subscriptions.get(eventType);
  if (subscription === undefined) return "no-subscription";
  return subscription.status === "ACTIVE" ? subscription : "subscription-inactive";
}

/** The headers of a delivery, signed (docs/contract/signing.md#webhook-deliveries). */
function headersFor(
  { eventId, body }: ClaimedDelivery,
  { appId, eventType }: Subscription,
  secret: HmacKey,
  timestamp: number,
): Record<string, string> {
  return {
    ...CALLBACK_HEADERS,
    [OPEN_HEADERS.appId]: appId,
    [OPEN_HEADERS.eventId]: eventId,
    [OPEN_HEADERS.eventType]: eventType,
    [OPEN_HEADERS.timestamp]: String(timestamp),
    [OPEN_HEADERS.signature]: secret.tag(webhookText(eventId, timestamp) + body),
  };
}

const NOT_DUE = { dueAt: null, nextAttemptAt: null };

/** The state that follows from the outcome of an attempt. */
export function verdictOn(
  outcome: "delivered" | "retry" | "failed",
  { retryCount }: Pick<ClaimedDelivery, "retryCount">,
  retryDelaysMs: readonly number[],
  dueClock: DueClock,
): DeliveryVerdict {
  if (outcome === "delivered") return { status: "DELIVERED", ...NOT_DUE, retryCount };
  if (outcome === "failed") return { status: "FAILED", ...NOT_DUE, retryCount };
  const delayMs = retryDelaysMs[retryCount];
  if (delayMs === undefined) return { status: "EXHAUSTED", ...NOT_DUE, retryCount };
  const dueAt = dueClock.now() + delayMs;
  return { status: "RETRYING", dueAt, nextAttemptAt: dueClock.shown(dueAt), retryCount: retryCount + 1 };
}

function statusClass(status: number | null): string {
  return status === null ? "none" : `${Math.floor(status / 100)}xx`;
}
