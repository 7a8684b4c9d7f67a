import type { RequestsQuery } from "@portico/protocol";
import { oneOf } from "../lists/address.ts";
import { boundsOf, rangeOf, type TimeRange } from "../lists/time-range.ts";

export const METHODS = ["GET", "POST", "PUT", "DELETE"] as const;
/** What the filter of statuses offers; any status can stand in the address. */
export const STATUSES = ["2xx", "4xx", "5xx", "400", "401", "403", "404", "409", "413", "415", "429", "500"] as const;

/** What the list of calls is narrowed to, as its address holds it. */
export interface RequestFilter {
  status: string | undefined;
  code: string | undefined;
  path: string | undefined;
  method: (typeof METHODS)[number] | undefined;
  range: TimeRange;
  /** The reqNo before which the page begins; the newest page when there is none. */
  before: string | undefined;
}

/** The filter in an address; what no filter can be is left out. */
export function filterOf(params: URLSearchParams): RequestFilter {
  const status = params.get("status") ?? "";
  const code = params.get("code") ?? "";
  return {
    status: /^[1-5](\d\d|xx)$/.test(status) ? status : undefined,
    code: /^\w{1,16}$/.test(code) ? code : undefined,
    path: params.get("path")?.slice(0, 512) || undefined,
    method: oneOf(params.get("method"), METHODS),
    range: rangeOf(params),
    before: params.get("before")?.slice(0, 64) || undefined,
  };
}

/** Everything in an address that narrows the list, beside its page. */
export const NO_FILTER = {
  status: undefined,
  code: undefined,
  path: undefined,
  method: undefined,
  range: undefined,
  from: undefined,
  to: undefined,
};

/** Whether a filter narrows the list. */
export function isNarrowed({ status, code, path, method, range }: RequestFilter): boolean {
  return [status, code, path, method, ...Object.values(range)].some((each) => each !== undefined);
}

/** What the API is asked for. */
export function queryOf({ range, ...filter }: RequestFilter, now: number): RequestsQuery {
  return { ...filter, ...boundsOf(range, now), limit: PAGE_SIZE } as RequestsQuery;
}

const PAGE_SIZE = 25;
const REQ_NO = /^[0-9a-z]{9}[0-9a-f]{12}[0-9a-z]{6,}$/;

/** Whether a text has the form of a request number. */
export function isReqNo(text: string): boolean {
  return REQ_NO.test(text);
}
