/** JSON that is inserted into answers unparsed: numbers keep their spelling, and nesting is not limited. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** `JSON.stringify` for plain values that contain {@link JsonText}s, which are inserted unchanged. */
export function writeJson(value: unknown): string {
  let text = "";
  pieceByPiece(value, (piece) => {
    text += piece;
  });
  return text;
}

/** Like {@link writeJson}, but passes on the pieces of the text in their order; each JsonText is one. */
export function pieceByPiece(value: unknown, add: (piece: string) => void): void {
  if (value instanceof JsonText) add(value.text);
  else if (Array.isArray(value)) addItems(value, add);
  else if (typeof value === "object" && value !== null) addMembers(value, add);
  else add(JSON.stringify(value) ?? "null");
}

function addItems(items: readonly unknown[], add: (piece: string) => void): void {
  add("[");
  for (const [index, item] of items.entries()) {
    if (index > 0) add(",");
    pieceByPiece(item, add);
  }
  add("]");
}

function addMembers(object: object, add: (piece: string) => void): void {
  let before = "{";
  for (const [name, member] of Object.entries(object)) {
    if (member === undefined) continue;
    add(`${before}${JSON.stringify(name)}:`);
    before = ",";
    pieceByPiece(member, add);
  }
  add(before === "{" ? "{}" : "}");
}

/** Adds a member to a non-empty JSON object. */
export function withMember(object: JsonText, name: string, value: unknown): JsonText {
  return new JsonText(`${object.text.slice(0, -1)},${JSON.stringify(name)}:${writeJson(value)}}`);
}
