import { useEffect, useMemo, useState } from "react";
import { type Locale, usePreferences } from "../look/preferences.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Between the numbers of the same day in two years. */
const DAYS_APART = 400;

/** Writes numbers and times as a language does. Times are epoch milliseconds. */
export interface Format {
  number(value: number): string;
  /** 3.4 MB; powers of 1,000. */
  bytes(value: number): string;
  /** 12 ms, 3.4 s, 2 min, 7.5 h, 12 days */
  duration(ms: number): string;
  percent(share: number): string;
  /** The date with the time to the second. */
  dateTime(time: number): string;
  date(time: number): string;
  /** Hours and minutes. */
  time(time: number): string;
  /** As short as a list has room for: hours and minutes of a time on `day`, else the day of the month, before this year the date. */
  short(time: number, day: number): string;
  /** "5 minutes ago", "in 2 hours"; a date where that is more than a week. */
  relative(time: number, now: number): string;
}

/** The format of the person's language, in a component. */
export function useFormat(): Format {
  const { locale } = usePreferences();
  return useMemo(() => formatIn(locale), [locale]);
}

/** The time, renewed every `everyMs`, for texts such as "5 minutes ago". */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** The format of a language. */
export function formatIn(locale: Locale): Format {
  const number = new Intl.NumberFormat(locale);
  const short = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
  const time = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const ofYear = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric" });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" });
  return {
    number: (value) => number.format(value),
    bytes: (value) => scaled(value, short),
    duration: (ms) => duration(ms, short, locale === "zh-CN" ? "天" : "days"),
    percent: (share) => percent.format(share),
    dateTime: (at) => dateTime.format(at),
    date: (at) => date.format(at),
    time: (at) => time.format(at),
    short: (at, day) => {
      if (dayOf(at) === day) return time.format(at);
      return yearOf(dayOf(at)) === yearOf(day) ? ofYear.format(at) : date.format(at);
    },
    relative: (at, now) => ago(at - now, relative) ?? date.format(at),
  };
}

/** A number that each day has for itself, where the person is. */
export function dayOf(time: number): number {
  const date = new Date(time);
  return date.getFullYear() * DAYS_APART + date.getMonth() * 31 + date.getDate();
}

function yearOf(day: number): number {
  return Math.floor(day / DAYS_APART);
}

function scaled(bytes: number, format: Intl.NumberFormat): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return `${format.format(bytes / 1_000 ** power)} ${units[power]}`;
}

function duration(ms: number, format: Intl.NumberFormat, days: string): string {
  if (ms < SECOND) return `${format.format(ms < 10 ? ms : Math.round(ms))} ms`;
  if (ms < 2 * MINUTE) return `${format.format(ms / SECOND)} s`;
  if (ms < 2 * HOUR) return `${format.format(Math.round(ms / MINUTE))} min`;
  return ms < 2 * DAY ? `${format.format(ms / HOUR)} h` : `${format.format(Math.round(ms / DAY))} ${days}`;
}

/** Undefined where a date says more. */
function ago(difference: number, format: Intl.RelativeTimeFormat): string | undefined {
  const size = Math.abs(difference);
  if (size < 5 * SECOND) return format.format(0, "second");
  if (size < MINUTE) return format.format(Math.trunc(difference / SECOND), "second");
  if (size < HOUR) return format.format(Math.trunc(difference / MINUTE), "minute");
  if (size < DAY) return format.format(Math.trunc(difference / HOUR), "hour");
  if (size < 7 * DAY) return format.format(Math.trunc(difference / DAY), "day");
  return undefined;
}
