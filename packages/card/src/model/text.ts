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

/** The first `max` characters, without half a character at the end. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max);
  return `${/[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head}…`;
}
