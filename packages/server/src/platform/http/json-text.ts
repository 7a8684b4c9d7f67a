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

/** Texts that are longer are passed on by themselves: joined with others, each would leave copies of its size. */
const LONG_CHARACTERS = 4_096;

/** Like {@link writeJson}, but passes on the pieces of the text in their order; each long text is one. */
export function pieceByPiece(value: unknown, add: (piece: string) => void): void {
  const rest = append("", value, add);
  if (rest !== "") add(rest);
}

/** Appends the JSON of a value to `text`. Returns what has not been passed on. */
function append(text: string, value: unknown, add: (piece: string) => void): string {
  switch (typeof value) {
    case "string":
      return join(text, JSON.stringify(value), add);
    case "number":
      return text + (Number.isFinite(value) ? value : "null");
    case "object":
      if (value === null) return `${text}null`;
      if (value instanceof JsonText) return join(text, value.text, add);
      return Array.isArray(value) ? appendItems(text, value, add) : appendMembers(text, value, add);
    default:
      return join(text, JSON.stringify(value) ?? "null", add);
  }
}

function join(text: string, json: string, add: (piece: string) => void): string {
  if (json.length <= LONG_CHARACTERS) return text + json;
  if (text !== "") add(text);
  add(json);
  return "";
}

function appendItems(before: string, items: readonly unknown[], add: (piece: string) => void): string {
  let text = `${before}[`;
  let comma = "";
  for (const item of items) {
    text = append(text + comma, item, add);
    comma = ",";
  }
  return `${text}]`;
}

function appendMembers(before: string, object: object, add: (piece: string) => void): string {
  let text = `${before}{`;
  let comma = "";
  for (const name of Object.keys(object)) {
    const member: unknown = object[name as keyof typeof object];
    if (member === undefined) continue;
    text = append(`${text}${comma}${quoted(name)}:`, member, add);
    comma = ",";
  }
  return `${text}}`;
}

/** Names of members are few and come again and again. A caller's own may fill the list, which costs only time. */
const MOST_NAMES = 1_000;
const names = new Map<string, string>();

function quoted(name: string): string {
  const known = names.get(name);
  if (known !== undefined) return known;
  const json = JSON.stringify(name);
  if (names.size < MOST_NAMES && name.length < 64) names.set(name, json);
  return json;
}

/** Adds a member to a non-empty JSON object. */
export function withMember(object: JsonText, name: string, value: unknown): JsonText {
  return new JsonText(`${object.text.slice(0, -1)},${JSON.stringify(name)}:${writeJson(value)}}`);
}
