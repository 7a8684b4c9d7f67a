const WIDTH = 92;
const INDENT = "  ";
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** A value as it is spelled, or what stands in an array or object: a member begins with its key. */
type Spelled = string | { isList: boolean; entries: { key: string; value: Spelled }[] };

/** Writes JSON with two blanks for each level; what fits into a line stands in one. */
export function formatCard(value: unknown): string {
  return formatText(JSON.stringify(value) ?? "null");
}

/**
 * Lays a JSON text out like {@link formatCard}. Nothing but blanks changes: numbers, escapes and the order of members stay
 * as they are.
 */
export function formatText(json: string): string {
  return write(spelledIn(json), 0);
}

function spelledIn(json: string): Spelled {
  const root: Exclude<Spelled, string> = { isList: true, entries: [] };
  const open = [root];
  let key = "";
  const tokens = json.match(TOKENS) ?? [];
  for (const [index, token] of tokens.entries()) {
    const within = open.at(-1) ?? root;
    if (token === "}" || token === "]") open.pop();
    else if (token === "{" || token === "[") {
      const value = { isList: token === "[", entries: [] };
      within.entries.push({ key, value });
      open.push(value);
      key = "";
    } else if (tokens[index + 1] === ":") key = `${token}: `;
    else if (token !== "," && token !== ":") {
      within.entries.push({ key, value: token });
      key = "";
    }
  }
  return root.entries[0]?.value ?? "";
}

function write(value: Spelled, level: number): string {
  if (typeof value === "string") return value;
  const short = inLine(value, WIDTH - level * INDENT.length);
  if (short !== undefined) return short;
  const inner = INDENT.repeat(level + 1);
  const parts = value.entries.map((each) => inner + each.key + write(each.value, level + 1));
  const [open, close] = value.isList ? "[]" : "{}";
  return `${open}\n${parts.join(",\n")}\n${INDENT.repeat(level)}${close}`;
}

/** The value in one line; undefined when that is longer. */
function inLine(value: Spelled, width: number): string | undefined {
  if (width <= 0) return undefined;
  if (typeof value === "string") return value;
  let line = "";
  for (const each of value.entries) {
    const rest = inLine(each.value, width - line.length);
    if (rest === undefined) return undefined;
    line += `${line === "" ? "" : ", "}${each.key}${rest}`;
    if (line.length + 4 > width) return undefined;
  }
  if (line === "") return value.isList ? "[]" : "{}";
  return value.isList ? `[${line}]` : `{ ${line} }`;
}
