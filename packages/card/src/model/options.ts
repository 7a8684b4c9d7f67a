import { isJsonObject, type JsonObject, listOf, member } from "./json.ts";
import { DRAWN } from "./limits.ts";
import { captionOf, cut, firstText } from "./text.ts";

/** A choice of a dropdown. */
export interface Option {
  /** Its place in the list, which is what tells options with the same text and value apart. */
  index: number;
  text: string;
  /** What is reported: `value`, else the text. */
  value: unknown;
}

export interface Options {
  items: readonly Option[];
  /** How many are left out. */
  more: number;
}

/** Reads `options[].text` of a dropdown (docs/contract/cards.md#what-clients-draw). */
export function optionsOf(element: JsonObject): Options {
  const all = listOf(element, "options");
  return { items: all.slice(0, DRAWN.options).map(readOption), more: Math.max(0, all.length - DRAWN.options) };
}

function readOption(option: unknown, index: number): Option {
  if (!isJsonObject(option)) return { index, text: captionOf(option) || "–", value: captionOf(option) };
  const text = cut(firstText(option, ["text", "name", "user_name", "user_id", "value"]), DRAWN.captionChars);
  const value = member(option, "value");
  return { index, text: text || "–", value: value === undefined || value === null ? text : value };
}

/** The options that are chosen to begin with, by the values that the element names. */
export function initiallyChosen(element: JsonObject, items: readonly Option[], fields: readonly string[]): number[] {
  for (const field of fields) {
    const named = member(element, field);
    if (named === undefined || named === null || named === "") continue;
    const values = Array.isArray(named) ? named : [named];
    return items.filter(({ value }) => values.includes(value)).map(({ index }) => index);
  }
  return [];
}
