/** JSON that is inserted into answers unparsed: numbers keep their spelling, and nesting is not limited. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** `JSON.stringify` for plain values that contain {@link JsonText}s, which are inserted unchanged. */
export function writeJson(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`).join(",")}}`;
}

/** Adds a member to a non-empty JSON object. */
export function withMember(object: JsonText, name: string, value: unknown): JsonText {
  return new JsonText(`${object.text.slice(0, -1)},${JSON.stringify(name)}:${writeJson(value)}}`);
}
