import { isJsonObject, type JsonObject, listOf, member } from "./json.ts";
import { DRAWN } from "./limits.ts";
import { captionOf, cut, firstText } from "./text.ts";

/** A choice of a dropdown. */
export interface Option {
  /** The same for the same choice after an update of the card, wherever it then stands in the list. */
  key: string;
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
  const times = new Map<string, number>();
  const items = all.slice(0, DRAWN.options).map((option) => {
    const read = readOption(option);
    const name = nameOf(read);
    const nth = times.get(name) ?? 0;
    times.set(name, nth + 1);
    return { ...read, key: `${nth} ${name}` };
  });
  return { items, more: Math.max(0, all.length - DRAWN.options) };
}

function readOption(option: unknown): Omit<Option, "key"> {
  if (!isJsonObject(option)) return { text: captionOf(option) || "–", value: captionOf(option) };
  const text = cut(firstText(option, ["text", "name", "user_name", "user_id", "value"]), DRAWN.captionChars);
  const value = member(option, "value");
  return { text: text || "–", value: value === undefined || value === null ? text : value };
}

/** What tells an option from others; a value that is no text, however large, is told by the option's text. */
function nameOf({ text, value }: Omit<Option, "key">): string {
  const told = typeof value === "object" ? text : String(value);
  return `${typeof value} ${told.slice(0, DRAWN.captionChars)}`;
}

/** The keys of the options that are chosen to begin with, by the values that the element names. */
export function initiallyChosen(element: JsonObject, items: readonly Option[], fields: readonly string[]): string[] {
  for (const field of fields) {
    const named = member(element, field);
    if (named === undefined || named === null || named === "") continue;
    const values = Array.isArray(named) ? named : [named];
    return items.filter(({ value }) => values.includes(value)).map(({ key }) => key);
  }
  return [];
}
