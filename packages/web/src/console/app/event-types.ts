import { EVENT_SCOPES, EVENT_TYPES, type EventType, scopeAllowedFor } from "@portico/protocol";
import type { AppDetail } from "./app-queries.ts";

/** The events that an application of a type may subscribe to. */
export function eventTypesFor(type: AppDetail["type"]): EventType[] {
  return EVENT_TYPES.filter((eventType) => {
    const scope = EVENT_SCOPES[eventType];
    return scope === null ? type === "BOT" : scopeAllowedFor(scope, type);
  });
}
