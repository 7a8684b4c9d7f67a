import { DELIVERY_STATES, type DeliveryState, EVENT_TYPES, type EventType, isEventType } from "@portico/protocol";
import { oneOf, UsageError } from "./command.ts";
import { RANGE_OPTIONS, rangeHelp, rangeOf, type TimeRange } from "./time-options.ts";

/** Options that select deliveries, for `parseArgs`. */
export const SELECTION_OPTIONS = {
  status: { type: "string" },
  type: { type: "string" },
  ...RANGE_OPTIONS,
} as const;

export const SELECTION_HELP = `  --status STATE  ${DELIVERY_STATES.join(", ")}
  --type TYPE     events of one type, such as ${EVENT_TYPES[0]}
${rangeHelp("events")}`;

/** Which deliveries, as the console API takes it. */
export interface Selection extends TimeRange {
  status: DeliveryState | undefined;
  eventType: EventType | undefined;
}

/** Which deliveries the command line selects. */
export function selectionOf(values: { [Name in keyof typeof SELECTION_OPTIONS]?: string | undefined }): Selection {
  const { status, type } = values;
  return {
    status: status === undefined ? undefined : oneOf(DELIVERY_STATES, status, "--status"),
    eventType: type === undefined ? undefined : eventTypeOf(type, "--type"),
    ...rangeOf(values),
  };
}

/** A type of event as it stands on the command line. */
export function eventTypeOf(text: string, name: string): EventType {
  if (isEventType(text)) return text;
  throw new UsageError(`${name} must be one of ${EVENT_TYPES.join(", ")}`);
}
