import type { Command, OptionValues } from "@commander-js/extra-typings";
import { UsageError } from "./command.ts";

const DAY_MS = 86_400_000;

/** A time range, both ends included, in epoch milliseconds. */
export interface TimeRange {
  from?: number | undefined;
  to?: number | undefined;
}

/** Declares the options of a {@link TimeRange}; `things` names what they select. */
export function withRange<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
  things: string,
) {
  const example = "a date, or a time such as 2026-01-31T08:00:00+08:00; a date is a day in UTC";
  return command
    .option("--from <TIME>", `${things} from this time on: ${example}`, (text: string) => timeOf(text, "--from"))
    .option("--to <TIME>", `${things} up to this time; a date includes all of its day`, (text: string) =>
      endOf(text, "--to"),
    );
}

/** The last millisecond of a time on the command line: the service includes both ends of a range. */
function endOf(text: string, name: string): number {
  const time = timeOf(text, name);
  return text.includes("T") ? time : time + DAY_MS - 1;
}

/** A time needs a UTC offset, because the local time here and at the service may differ. */
function timeOf(text: string, name: string): number {
  const match = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.exec(text);
  const time = Date.parse(text);
  if (match === null || Number.isNaN(time) || !isDay(match[1] ?? "")) {
    throw new UsageError(`${name} must be a date, or a time with its offset, such as 2026-01-31T08:00:00+08:00`);
  }
  return time;
}

/** Date.parse accepts the 31st of any month. */
function isDay(date: string): boolean {
  return new Date(`${date}T00:00:00Z`).toISOString().startsWith(date);
}
