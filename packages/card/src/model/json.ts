/** A JSON object as received: its keys are data, `__proto__` and `toString` included. */
export type JsonObject = Readonly<Record<string, unknown>>;

const NO_MEMBERS: JsonObject = Object.freeze({});
const NO_ENTRIES: readonly unknown[] = Object.freeze([]);

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object's own member; what it inherits is no part of the JSON. */
export function member(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The member as an object, empty when it is none. */
export function objectOf(object: JsonObject, key: string): JsonObject {
  const value = member(object, key);
  return isJsonObject(value) ? value : NO_MEMBERS;
}

/** The member as an array, empty when it is none. */
export function listOf(object: JsonObject, key: string): readonly unknown[] {
  const value = member(object, key);
  return Array.isArray(value) ? value : NO_ENTRIES;
}
