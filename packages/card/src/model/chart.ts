import { isJsonObject, type JsonObject, listOf, member } from "./json.ts";
import { DRAWN } from "./limits.ts";
import { cut, firstText } from "./text.ts";

/** A bar of a chart. */
export interface Bar {
  index: number;
  label: string;
  /** From 0 to 100. */
  value: number;
}

const SIGNIFICANT_DIGITS = 6;

/** Reads a chart: the first eight entries of `data`, their values held between 0 and 100. */
export function readChart(element: JsonObject): readonly Bar[] {
  return listOf(element, "data").slice(0, DRAWN.chartEntries).map(barOf);
}

function barOf(entry: unknown, index: number): Bar {
  const object = isJsonObject(entry) ? entry : { value: entry };
  const label = cut(firstText(object, ["label", "name", "x"]), DRAWN.captionChars);
  return { index, label: label || `${index + 1}`, value: clamped(member(object, "value") ?? member(object, "y")) };
}

function clamped(value: unknown): number {
  const number = typeof value === "number" ? value : typeof value === "string" ? Number.parseFloat(value) : 0;
  const held = Number.isNaN(number) ? 0 : Math.min(100, Math.max(0, number));
  return Number(held.toPrecision(SIGNIFICANT_DIGITS));
}
