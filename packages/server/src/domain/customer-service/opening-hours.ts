import type { OpeningHours } from "@portico/protocol/schemas";

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** Whether the runtime knows a time zone of this name. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Whether it is within the opening hours, by the clock of their time zone; always without any. `now` is in epoch milliseconds. */
export function isOpenAt(hours: OpeningHours | null, now: number): boolean {
  if (hours === null) return true;
  const { day, time } = localTime(hours.timeZone, now);
  return hours.days.some((span) => span.day === day && span.from <= time && time < span.to);
}

/** The day of the week, from 1 for Monday, and the time as `hh:mm`. */
function localTime(timeZone: string, now: number): { day: number; time: string } {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const parts = new Map(format.formatToParts(now).map(({ type, value }) => [type, value]));
  return {
    day: DAYS.indexOf(parts.get("weekday") ?? "") + 1,
    time: `${parts.get("hour") ?? ""}:${parts.get("minute") ?? ""}`,
  };
}
