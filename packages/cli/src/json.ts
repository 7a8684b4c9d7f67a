/** The field `name` of a parsed JSON value; undefined when there is none. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** {@link memberOf}, if the field is a string. */
export function textOf(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === "string" ? member : undefined;
}

/** {@link memberOf}, if the field is a number. */
export function numberOf(value: unknown, name: string): number | undefined {
  const member = memberOf(value, name);
  return typeof member === "number" ? member : undefined;
}

/** {@link memberOf}, if the field is an array; otherwise an empty array. */
export function listOf(value: unknown, name: string): unknown[] {
  const member = memberOf(value, name);
  return Array.isArray(member) ? member : [];
}
