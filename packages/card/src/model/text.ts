import { isJsonObject, type JsonObject, member } from "./json.ts";
import { DRAWN } from "./limits.ts";

/** The text in a value: itself, or its `content`; empty when there is none. A label may be either (docs/contract/cards.md). */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (!isJsonObject(value)) return "";
  const content = member(value, "content");
  return typeof content === "string" || typeof content === "number" ? String(content) : "";
}

/** The first of these members that has a text. */
export function firstText(object: JsonObject, keys: readonly string[]): string {
  for (const key of keys) {
    const text = textOf(member(object, key));
    if (text !== "") return text;
  }
  return "";
}

/** A text for one line: cut where nobody reads on. */
export function captionOf(value: unknown): string {
  return cut(textOf(value), DRAWN.captionChars);
}

/** A browser draws a list as wide as its longest entry, wider than a window may be. Chinese takes two columns for each character. */
const LINE_COLUMNS = 48;
const WIDE = /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\u{1f000}-\u{3ffff}]/u;

/** A text for an entry of a list that cannot be broken into lines. */
export function lineOf(text: string): string {
  let columns = 0;
  let length = 0;
  for (const character of text) {
    columns += WIDE.test(character) ? 2 : 1;
    if (columns > LINE_COLUMNS) return cut(text, length);
    length += character.length;
  }
  return text;
}

/** The first `max` characters, without half a character at the end. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max);
  return `${/[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head}…`;
}
