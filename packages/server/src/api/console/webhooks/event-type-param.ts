import { EVENT_TYPES, type EventType, fault, isEventType } from "@portico/protocol";
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
