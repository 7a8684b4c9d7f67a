import type { AppliedChange, SkippedItem } from "@portico/server";
import { inOneLine, table } from "./terminal.ts";

/** The most characters of a value that are shown. */
const MAX_SHOWN = 120;

/** One line for each change: entity, item, old and new value. */
export function changeLines(changes: readonly AppliedChange[]): string[] {
  return table(changes.map(({ entity, item, before, after }) => [entity, item || "-", inWords(before, after)]));
}

/** One line for each item that was not applied, with the reason. */
export function skippedLines(skipped: readonly SkippedItem[]): string[] {
  return table(skipped.map(({ entity, item, reason }) => [entity, item, `skipped: ${reason}`]));
}

function inWords(before: unknown, after: unknown): string {
  if (after === undefined) return "removed";
  if (before === undefined) return after === true ? "new" : `new: ${shown(after)}`;
  return `${shown(before)} -> ${shown(after)}`;
}

function shown(value: unknown): string {
  const text = inOneLine(typeof value === "string" ? value || '""' : JSON.stringify(value));
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}
