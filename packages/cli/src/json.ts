/** The member `name` of a parsed JSON value, or undefined where there is none. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** Like {@link memberOf}, if the member is a string. */
export function textOf(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === "string" ? member : undefined;
}
