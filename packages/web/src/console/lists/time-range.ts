import { oneOf, wholeNumber } from "./address.ts";

const HOUR_MS = 3_600_000;

/** Ranges that end now, and go on as time does. */
export const RECENT_MS = { "15m": HOUR_MS / 4, "1h": HOUR_MS, "24h": 24 * HOUR_MS, "7d": 7 * 24 * HOUR_MS } as const;
export type Recent = keyof typeof RECENT_MS;
export const RECENTS = Object.keys(RECENT_MS) as Recent[];

/** A range of time as an address holds it: up to now, or from one minute to another; empty for any time. */
export interface TimeRange {
  recent?: Recent | undefined;
  /** Epoch milliseconds. */
  from?: number | undefined;
  to?: number | undefined;
}

/** The range in an address. */
export function rangeOf(params: URLSearchParams): TimeRange {
  const recent = oneOf(params.get("range"), RECENTS);
  if (recent !== undefined) return { recent };
  return { from: wholeNumber(params.get("from")), to: wholeNumber(params.get("to")) };
}

/** What the API is asked for. */
export function boundsOf({ recent, from, to }: TimeRange, now: number): { from?: number; to?: number } {
  if (recent !== undefined) return { from: now - RECENT_MS[recent] };
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}
