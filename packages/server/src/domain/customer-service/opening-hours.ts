import type { OpeningHours } from "@portico/protocol/schemas";
import { growingLru } from "../../platform/limits/growing-lru.ts";

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** Making one takes some 50 µs, and anybody may ask. There are some 600 time zones. */
const formats = growingLru<Intl.DateTimeFormat>(1_000);

/** Whether the runtime knows a time zone of this name. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether it is within the opening hours, by the clock of their time zone; always without any, and where the runtime knows
 * no such time zone, which may have been stored with another version of it. `now` is in epoch milliseconds.
 */
export function isOpenAt(hours: OpeningHours | null, now: number): boolean {
  if (hours === null) return true;
  const format = formatOf(hours.timeZone);
  if (format === null) return true;
  const { day, time } = localTime(format, now);
  return hours.days.some((span) => span.day === day && span.from <= time && time < span.to);
}

/** Null when the runtime knows no such time zone. */
function formatOf(timeZone: string): Intl.DateTimeFormat | null {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  if (!isTimeZone(timeZone)) return null;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  formats.set(timeZone, format);
  return format;
}

/** The day of the week, from 1 for Monday, and the time as `hh:mm`. */
function localTime(format: Intl.DateTimeFormat, now: number): { day: number; time: string } {
  const parts = new Map(format.formatToParts(now).map(({ type, value }) => [type, value]));
  return {
    day: DAYS.indexOf(parts.get("weekday") ?? "") + 1,
    time: `${parts.get("hour") ?? ""}:${parts.get("minute") ?? ""}`,
  };
}
