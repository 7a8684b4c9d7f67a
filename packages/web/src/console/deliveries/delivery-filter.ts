import { DELIVERY_STATES, type DeliveryState, EVENT_TYPES, type EventType } from "@portico/protocol";
import { oneOf, pageIn } from "../lists/address.ts";
import { PAGE_SIZE } from "../lists/paging-bar.tsx";
import { boundsOf, rangeOf, type TimeRange } from "../lists/time-range.ts";

/** What the list of deliveries is narrowed to, as its address holds it. */
export interface DeliveryFilter {
  eventType: EventType | undefined;
  status: DeliveryState | undefined;
  range: TimeRange;
  page: number;
}

/** The filter in an address; what no filter can be is left out. */
export function filterOf(params: URLSearchParams): DeliveryFilter {
  return {
    eventType: oneOf(params.get("eventType"), EVENT_TYPES),
    status: oneOf(params.get("status"), DELIVERY_STATES),
    range: rangeOf(params),
    page: pageIn(params),
  };
}

/** Everything in an address that narrows the list, beside its page. */
export const NO_FILTER = {
  eventType: undefined,
  status: undefined,
  range: undefined,
  from: undefined,
  to: undefined,
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
