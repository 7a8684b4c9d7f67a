import type { Locale } from "../common/messages.ts";
import type { Words } from "./words.ts";

const UNITS = ["B", "kB", "MB", "GB"];

/** Writes times and sizes as a language does. Times are epoch milliseconds. */
export interface Format {
  time(at: number): string;
  /** "Today", "Yesterday", or the date. */
  day(at: number): string;
  bytes(size: number): string;
  number(value: number): string;
}

/** The format of a language. */
export function formatIn(locale: Locale, words: Words): Format {
  const time = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  return {
    number: (value) => number.format(value),
    time: (at) => time.format(at),
    day(at) {
      const today = new Date();
      if (sameDay(at, today.getTime())) return words.today;
      today.setDate(today.getDate() - 1);
      return sameDay(at, today.getTime()) ? words.yesterday : date.format(at);
    },
    bytes(size) {
      const power = Math.min(Math.floor(Math.log10(Math.max(size, 1)) / 3), UNITS.length - 1);
      return `${number.format(size / 1_000 ** power)} ${UNITS[power]}`;
    },
  };
}

/** Whether two times are on one day, where the visitor is. */
export function sameDay(one: number, other: number): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}
