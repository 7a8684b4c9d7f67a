import { ApiError, EVENT_TYPES, type EventType, isEventType } from "@portico/protocol";

/**
 * The event type that the path names.
 *
 * @throws ApiError 400 when it is none.
 */
export function eventTypeParam(params: Readonly<Record<string, string>>): EventType {
  const { eventType = "" } = params;
  if (!isEventType(eventType)) {
    throw new ApiError("INVALID_REQUEST", `eventType取值不合法,可选值: ${EVENT_TYPES.join(", ")}`);
  }
  return eventType;
}
