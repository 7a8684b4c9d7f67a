import {
  type AppType,
  EVENT_SCOPES,
  EVENT_TYPES,
  type EventType,
  fault,
  isEventType,
  scopeAllowedFor,
} from "@portico/protocol";
import { ConsoleError } from "../../common/console/console-error.ts";

/**
 * The event type in the path.
 *
 * @throws ApiError 400 when it is unknown.
 */
export function eventTypeParam(params: Readonly<Record<string, string>>): EventType {
  const { eventType = "" } = params;
  if (!isEventType(eventType)) {
    throw new ConsoleError(fault("EVENT_TYPE_UNKNOWN", { values: EVENT_TYPES.join(", ") }));
  }
  return eventType;
}

/**
 * Checks that applications of this type have events of this type; those without scope are for bots.
 *
 * @throws ConsoleError 403.
 */
export function checkEventForType(type: AppType, eventType: EventType): void {
  const scope = EVENT_SCOPES[eventType];
  const isForType = scope === null ? type === "BOT" : scopeAllowedFor(scope, type);
  if (!isForType) throw new ConsoleError(fault("EVENT_NOT_FOR_APP_TYPE", { type, eventType }));
}
