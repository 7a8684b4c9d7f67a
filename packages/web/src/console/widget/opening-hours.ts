import type { OpeningHours } from "@portico/protocol/schemas";

type Span = OpeningHours["days"][number];

/** The days of the week, as opening hours count them. */
export const DAYS = [1, 2, 3, 4, 5, 6, 7] as const;

const WORKING_DAYS = DAYS.slice(0, 5);

/** The hours to begin with: those of an office, where the browser is. */
export function officeHours(): OpeningHours {
  return {
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    days: WORKING_DAYS.map((day) => ({ day, from: "09:00", to: "18:00" })),
  };
}

/** The next span to offer: the day after the last one. */
export function nextSpan({ days }: OpeningHours): Span {
  const last = days.at(-1);
  return { day: ((last?.day ?? 0) % 7) + 1, from: last?.from ?? "09:00", to: last?.to ?? "18:00" };
}

/** Whether a span is not complete, or ends before it has begun. */
export function isWrongSpan({ from, to }: Span): boolean {
  return from === "" || to === "" || from >= to;
}
