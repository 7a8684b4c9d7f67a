import { isJsonObject, type JsonObject, member } from "../index.ts";

/** The first of these members that is there; null counts as absent. */
export function firstOf(object: JsonObject, keys: readonly string[]): unknown {
  for (const key of keys) {
    const value = member(object, key);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** The first of these members that is an object. */
export function firstObject(object: JsonObject, keys: readonly string[]): JsonObject | undefined {
  for (const key of keys) {
    const value = member(object, key);
    if (isJsonObject(value)) return value;
  }
  return undefined;
}

/** The array in a member; empty when there is none. */
export function listIn(object: JsonObject, key: string): readonly unknown[] {
  const value = member(object, key);
  return Array.isArray(value) ? value : [];
}

/** The text in a value: itself, its `content`, or the first translation that it has; empty when there is none. */
export function textIn(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (!isJsonObject(value)) return "";
  const content = member(value, "content") ?? member(value, "text");
  if (content !== undefined && content !== null && content !== "") return textIn(content);
  const translations = firstObject(value, ["i18n_content", "i18n"]) ?? {};
  return Object.values(translations).map(textIn).find(Boolean) ?? "";
}

/** The object without these members. */
export function without(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}
