import { OPEN_HEADERS, signWebhook } from "@portico/protocol/signature";
import type { EventAnswer, SocketEvent, SocketHello } from "@portico/sdk";

/** Answers after which the service tries again (docs/contract/events.md#attempts-and-retries). */
const RETRIED: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** Where events are forwarded to. */
export interface ForwardTarget {
  url: URL;
  /** Signs as the secret of a subscription does. */
  secret: string;
}

/** What became of an event: its answer to the service, and that in a word or two. */
export interface Forwarded {
  answer: EventAnswer;
  /** An HTTP status, or why there is none. */
  status: string;
}

/** Posts an event as a signed webhook, and judges the answer as the service would judge a webhook's. */
export async function forwardEvent(
  { eventId, eventType, body }: SocketEvent,
  { appId, ackTimeoutMs }: SocketHello,
  { url, secret }: ForwardTarget,
): Promise<Forwarded> {
  const timestamp = Date.now();
  const headers = {
    "Content-Type": "application/json; charset=UTF-8",
    [OPEN_HEADERS.appId]: appId,
    [OPEN_HEADERS.eventId]: eventId,
    [OPEN_HEADERS.eventType]: eventType,
    [OPEN_HEADERS.timestamp]: String(timestamp),
    [OPEN_HEADERS.signature]: signWebhook(secret, eventId, timestamp, body),
  };
  try {
    const signal = AbortSignal.timeout(ackTimeoutMs);
    const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
    await response.body?.cancel();
    return judged(response.status);
  } catch (error) {
    const reason = reasonOf(error, ackTimeoutMs);
    return { answer: { ack: false, reason }, status: reason };
  }
}

function judged(httpStatus: number): Forwarded {
  const status = String(httpStatus);
  if (httpStatus >= 200 && httpStatus < 300) return { answer: { ack: true }, status };
  const retry = RETRIED.has(httpStatus) || httpStatus >= 500;
  return { answer: { ack: false, reason: `HTTP ${status}`, ...(retry ? {} : { retry }) }, status };
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return "not reached";
  if (error.name === "TimeoutError") return `no answer within ${timeoutMs} ms`;
  const { cause } = error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : "not reached";
}
