import { DELIVERY_STATES, type DeliveryState, EVENT_TYPES, type EventType, isEventType } from "@portico/protocol";
import { UsageError } from "./command.ts";

const DAY_MS = 86_400_000;

/** Options that select deliveries, for `parseArgs`. */
export const SELECTION_OPTIONS = {
  status: { type: "string" },
  type: { type: "string" },
  from: { type: "string" },
  to: { type: "string" },
} as const;

export const SELECTION_HELP = `  --status STATE  ${DELIVERY_STATES.join(", ")}
  --type TYPE     events of one type, such as ${EVENT_TYPES[0]}
  --from TIME     events from this time on: a date, or a time such as 2026-01-31T08:00:00+08:00; a date is a day in UTC
  --to TIME       events up to this time; a date includes all of its day`;

/** Which deliveries, as the console API takes it; times in epoch milliseconds. */
export interface Selection {
  status: DeliveryState | undefined;
  eventType: EventType | undefined;
  from: number | undefined;
  to: number | undefined;
}

/** Which deliveries the command line selects. */
export function selectionOf(values: { [Name in keyof typeof SELECTION_OPTIONS]?: string | undefined }): Selection {
  const { status, type, from, to } = values;
  return {
    status: status === undefined ? undefined : stateOf(status),
    eventType: type === undefined ? undefined : eventTypeOf(type, "--type"),
    from: from === undefined ? undefined : timeOf(from, "--from"),
    to: to === undefined ? undefined : endOf(to, "--to"),
  };
}

/** A type of event as it stands on the command line. */
export function eventTypeOf(text: string, name: string): EventType {
  if (isEventType(text)) return text;
  throw new UsageError(`${name} must be one of ${EVENT_TYPES.join(", ")}`);
}

function stateOf(text: string): DeliveryState {
  const state = DELIVERY_STATES.find((each) => each === text.toUpperCase());
  if (state !== undefined) return state;
  throw new UsageError(`--status must be one of ${DELIVERY_STATES.join(", ")}`);
}

/** The last millisecond of a time as it stands on the command line; the service includes both ends of a range. */
function endOf(text: string, name: string): number {
  const time = timeOf(text, name);
  return text.includes("T") ? time : time + DAY_MS - 1;
}

/** A time needs its offset: on this machine and on the service's, a local time need not be the same. */
function timeOf(text: string, name: string): number {
  const match = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.exec(text);
  const time = Date.parse(text);
  if (match === null || Number.isNaN(time) || !isDay(match[1] ?? "")) {
    throw new UsageError(`${name} must be a date, or a time with its offset, such as 2026-01-31T08:00:00+08:00`);
  }
  return time;
}

/** The parser of dates takes the 31st of any month. */
function isDay(date: string): boolean {
  return new Date(`${date}T00:00:00Z`).toISOString().startsWith(date);
}
