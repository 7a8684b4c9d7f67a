/** The member `name` of a parsed JSON value, or undefined where there is none. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** Like {@link memberOf}, if the member is a string. */
export function textOf(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === "string" ? member : undefined;
}

/** Like {@link memberOf}, if the member is a number. */
export function numberOf(value: unknown, name: string): number | undefined {
  const member = memberOf(value, name);
  return typeof member === "number" ? member : undefined;
}

/** Like {@link memberOf}, if the member is a list; an empty one otherwise. */
export function listOf(value: unknown, name: string): unknown[] {
  const member = memberOf(value, name);
  return Array.isArray(member) ? member : [];
}
