import type { DropReason, EventType } from "@portico/protocol";
import { listenerFor } from "../dispatcher/deliver.ts";
import type { Recipients } from "../subscription-store.ts";
import type { OpenConnection } from "./socket-store.ts";

/** Where the events of a type go now. */
export type Destination =
  /** To one of these connections; they wait while there is none. */
  | { to: "socket"; connections: readonly OpenConnection[] }
  | { to: "webhook" }
  /** Nowhere. */
  | { to: null; reason: DropReason };

/**
 * Where the events of a type go: to the connections that take it, else where its subscription says. A connection that
 * takes something gets nothing else.
 *
 * @param connections those that are alive.
 */
export function destinationOf(
  eventType: EventType,
  recipients: Recipients,
  connections: readonly OpenConnection[],
): Destination {
  if (!recipients.active) return { to: null, reason: "application-not-active" };
  const takers = connections.filter(({ takes }) => takes.includes(eventType));
  if (takers.length > 0) return { to: "socket", connections: takers };
  const listener = listenerFor({ eventType }, recipients);
  if (typeof listener === "string") return { to: null, reason: listener };
  if (listener.transport === "WEBHOOK") return { to: "webhook" };
  return { to: "socket", connections: connections.filter(({ takes }) => takes.length === 0) };
}
