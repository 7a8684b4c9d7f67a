import type { Command, OptionValues } from "@commander-js/extra-typings";
import { DELIVERY_STATES, type DeliveryState, EVENT_TYPES, type EventType } from "@portico/protocol";
import { wordOption } from "./option-kinds.ts";
import { type TimeRange, withRange } from "./time-options.ts";

/** A filter for deliveries, in the form of the console API. */
export interface Selection extends TimeRange {
  status?: DeliveryState | undefined;
  eventType?: EventType | undefined;
}

/** Declares the options of a {@link Selection}. */
export function withSelection<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return withRange(
    command
      .addOption(wordOption("--status <STATE>", "deliveries in this state", DELIVERY_STATES))
      .addOption(wordOption("--type <TYPE>", "events of one type", EVENT_TYPES)),
    "events",
  );
}

/** The selection from the command line. */
export function selectionOf(values: {
  status?: DeliveryState | undefined;
  type?: EventType | undefined;
  from?: number | undefined;
  to?: number | undefined;
}): Selection {
  const { status, type: eventType, from, to } = values;
  return { status, eventType, from, to };
}
