import { isJsonObject, type JsonObject, member } from "../index.ts";
import type { ChangeLog } from "./changes.ts";
import { firstObject, firstOf, listIn, textIn, without } from "./read.ts";

/** A chart shows so many entries, with values from 0 to this. */
const ENTRIES_MAX = 8;
const VALUE_MAX = 100;

interface Entry {
  label: string;
  value: unknown;
}

/**
 * Takes a chart's entries out of its VChart specification. What bars of 0 to 100 cannot show, or are too many, becomes a
 * table with the same values; a chart without entries is left out.
 */
export function chartFrom(element: JsonObject, log: ChangeLog): JsonObject | null {
  const spec = firstObject(element, ["chart_spec"]);
  if (spec === undefined) return element;
  const entries = entriesOf(spec);
  if (entries.length === 0) return null;
  const title = textIn(firstOf(firstObject(spec, ["title"]) ?? {}, ["text", "content"]));
  const fits = entries.length <= ENTRIES_MAX && entries.every(({ value }) => isPercent(value));
  if (fits) {
    log.add("moved", "chart_spec", "data");
    const rest = without(element, ["chart_spec"]);
    return { ...rest, ...(title !== "" && { title: { content: title } }), data: entries };
  }
  log.add("replaced", "chart", "table");
  const rows = entries.map(({ label, value }) => [label, textIn(value)]);
  return { tag: "table", rows: [[title, ""], ...rows] };
}

function isPercent(value: unknown): boolean {
  return typeof value === "number" && value >= 0 && value <= VALUE_MAX;
}

function entriesOf(spec: JsonObject): Entry[] {
  const labels = [...namesIn(spec, ["xField", "categoryField"]), ...namesIn(spec, ["seriesField"])];
  const [valueField = "value"] = namesIn(spec, ["yField", "valueField"]);
  return valuesOf(spec).map((entry) => ({
    label: labelOf(entry, labels),
    value: member(entry, valueField) ?? member(entry, "value") ?? null,
  }));
}

function labelOf(entry: JsonObject, fields: readonly string[]): string {
  const named = [...new Set(fields)].map((field) => textIn(member(entry, field))).filter(Boolean);
  return [...new Set(named)].join(" · ") || textIn(firstOf(entry, ["name", "type", "x", "category"]));
}

/** A field is named by a text, or several by an array. */
function namesIn(spec: JsonObject, keys: readonly string[]): string[] {
  const named = firstOf(spec, keys);
  return (Array.isArray(named) ? named : [named]).filter((name) => typeof name === "string");
}

/** The data is one set of values, or an array of sets. */
function valuesOf(spec: JsonObject): JsonObject[] {
  const data = member(spec, "data");
  const sets = Array.isArray(data) ? data : [data];
  return sets.flatMap((set) => (isJsonObject(set) ? listIn(set, "values") : [])).filter(isJsonObject);
}
