import { DELIVERY_STATES, type DeliveryState, EVENT_TYPES, type EventType } from "@portico/protocol";
import { boundsOf, rangeOf, type TimeRange } from "../log/time-range.ts";
import { oneOf, wholeNumber } from "../log/use-address.ts";

/** What the list of deliveries is narrowed to, as its address holds it. */
export interface DeliveryFilter {
  eventType: EventType | undefined;
  status: DeliveryState | undefined;
  range: TimeRange;
  page: number;
}

export const PAGE_SIZE = 25;

/** The filter in an address; what no filter can be is left out. */
export function filterOf(params: URLSearchParams): DeliveryFilter {
  return {
    eventType: oneOf(params.get("eventType"), EVENT_TYPES),
    status: oneOf(params.get("status"), DELIVERY_STATES),
    range: rangeOf(params),
    page: wholeNumber(params.get("page"), 1) ?? 1,
  };
}

/** Everything in an address that narrows the list. */
export const NO_FILTER = {
  eventType: undefined,
  status: undefined,
  range: undefined,
  from: undefined,
  to: undefined,
  page: undefined,
};

/** Whether a filter narrows the list. */
export function isNarrowed({ eventType, status, range }: DeliveryFilter): boolean {
  return [eventType, status, ...Object.values(range)].some((each) => each !== undefined);
}

/** What the API is asked for. */
export function queryOf({ eventType, status, range, page }: DeliveryFilter, now: number) {
  return {
    ...(eventType !== undefined && { eventType }),
    ...(status !== undefined && { status }),
    ...boundsOf(range, now),
    page,
    pageSize: PAGE_SIZE,
  };
}
