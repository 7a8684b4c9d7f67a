import { DAY_MS } from "../../../platform/coordination/coordination.ts";
import { reqNosFrom } from "../../../platform/http/trace.ts";

/*
 * On PostgreSQL the request log is partitioned by the day (UTC) that a reqNo begins with, so that a day whose retention has
 * passed leaves as a file instead of row by row. Days are made ahead. What belongs to none, as when a clock is wrong by weeks, and
 * what was there before there were days, is in the default partition; so an insert never fails for want of a day.
 */
export const DEFAULT_PARTITION = "requests_default";

/** A day's partition: its table, and the times it is for in epoch milliseconds, `until` excluded. */
export interface RequestDay {
  table: string;
  from: number;
  until: number;
}

const NAME = /^requests_(\d{4})(\d\d)(\d\d)$/;

/** The day of a time in epoch milliseconds, which may lie in a past or future one. */
export function dayAt(time: number): RequestDay {
  const from = Math.floor(time / DAY_MS) * DAY_MS;
  const date = new Date(from).toISOString().slice(0, 10).replaceAll("-", "");
  return { table: `requests_${date}`, from, until: from + DAY_MS };
}

/** The day whose partition has this name; null for another table. */
export function dayNamed(table: string): RequestDay | null {
  const [, year, month, day] = NAME.exec(table) ?? [];
  return year === undefined ? null : dayAt(Date.UTC(Number(year), Number(month) - 1, Number(day)));
}

/** The request numbers of a day: from `first` on, before `end`. */
export function reqNosOf({ from, until }: RequestDay): { first: string; end: string } {
  return { first: reqNosFrom(from), end: reqNosFrom(until) };
}
