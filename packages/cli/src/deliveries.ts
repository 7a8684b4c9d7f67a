import { memberText } from "@portico/protocol/json-member";
import type { ConsoleApi } from "./console-api.ts";
import { unpromised } from "./console-exchange.ts";
import type { Selection } from "./event-options.ts";
import { listOf, memberOf, numberOf, textOf } from "./json.ts";
import { type Page, readPage } from "./pages.ts";

/** A delivery, as shown; unknown states and types of the service are kept as text. */
export interface DeliveryView {
  eventId: string;
  eventType: string;
  status: string;
  attemptCount: number;
  /** Epoch milliseconds, as all times here. */
  createdAt: number;
  nextAttemptAt: number | undefined;
  /** HTTP status of the last answer, or the reason for having none; empty before the first attempt. */
  outcome: string;
  lastStatus: number | undefined;
  lastReason: string | undefined;
}

/** An attempt, as shown. */
export interface AttemptView {
  at: number;
  outcome: string;
  /** A longer explanation of the outcome, if there is one. */
  detail: string | undefined;
  durationMs: number;
  address: string | undefined;
  nextAttemptAt: number | undefined;
  /** The duration of each phase in milliseconds, by name. */
  phases: [name: string, ms: number][];
  /** The beginning of the receiver's answer. */
  answer: string;
}

/** A page of an application's deliveries. */
export interface DeliveryPage extends Omit<Page, "items"> {
  deliveries: DeliveryView[];
  /** The original answer. */
  text: string;
}

/** Reads a page of an application's deliveries, newest first. */
export async function readDeliveries(
  api: ConsoleApi,
  appId: string,
  { status, eventType, from, to }: Selection,
  page: number | undefined,
): Promise<DeliveryPage> {
  const query = { status, eventType, from: from?.toString(), to: to?.toString(), page: page?.toString() };
  const { value, text } = await api.call("GET", ["apps", appId, "deliveries"], { query });
  const { items, ...position } = readPage(value, "deliveries");
  return { deliveries: items.map(deliveryView), ...position, text };
}

/** Reads a delivery with its attempts, and the JSON text of the event as delivered. */
export async function readDelivery(api: ConsoleApi, appId: string, eventId: string) {
  const { value, text } = await api.call("GET", ["apps", appId, "deliveries", eventId]);
  const attempts = listOf(value, "attempts").map(attemptView);
  const delivery = deliveryView(value);
  return { delivery, attempts, body: memberText(text, "body") ?? unpromised("a delivery"), text };
}

export function deliveryView(value: unknown): DeliveryView {
  return {
    eventId: textOf(value, "eventId") ?? unpromised("a delivery"),
    eventType: textOf(value, "eventType") ?? "?",
    status: textOf(value, "status") ?? unpromised("a delivery"),
    attemptCount: numberOf(value, "attemptCount") ?? 0,
    createdAt: numberOf(value, "createdAt") ?? unpromised("a delivery"),
    nextAttemptAt: numberOf(value, "nextAttemptAt"),
    outcome: outcomeOf(numberOf(value, "lastStatus"), textOf(value, "lastReason")),
    lastStatus: numberOf(value, "lastStatus"),
    lastReason: textOf(value, "lastReason"),
  };
}

function attemptView(value: unknown): AttemptView {
  const phases = Object.entries(memberOf(value, "phases") ?? {});
  return {
    at: numberOf(value, "at") ?? unpromised("a delivery"),
    outcome: outcomeOf(numberOf(value, "status"), textOf(value, "reason")),
    detail: textOf(value, "detail"),
    durationMs: numberOf(value, "durationMs") ?? 0,
    address: textOf(value, "address"),
    nextAttemptAt: numberOf(value, "nextAttemptAt"),
    phases: phases.filter((phase): phase is [string, number] => typeof phase[1] === "number"),
    answer: textOf(value, "answer") ?? "",
  };
}

function outcomeOf(status: number | undefined, reason: string | undefined): string {
  return [status, reason].filter((part) => part !== undefined).join(" ");
}
