const WIDTH = 92;
const INDENT = "  ";

/** Writes JSON with two blanks for each level; what fits into a line stands in one. */
export function formatCard(value: unknown): string {
  return write(value, 0);
}

function write(value: unknown, level: number): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const isList = Array.isArray(value);
  const inner = INDENT.repeat(level + 1);
  const short = inLine(value, WIDTH - level * INDENT.length);
  if (short !== undefined) return short;
  const parts = isList
    ? value.map((each) => inner + write(each, level + 1))
    : Object.entries(value).map(([key, each]) => `${inner}${JSON.stringify(key)}: ${write(each, level + 1)}`);
  const [open, close] = isList ? "[]" : "{}";
  return `${open}\n${parts.join(",\n")}\n${INDENT.repeat(level)}${close}`;
}

/** The value in one line; undefined when that is longer. */
function inLine(value: unknown, width: number): string | undefined {
  if (width <= 0) return undefined;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const isList = Array.isArray(value);
  let line = "";
  for (const [key, each] of Object.entries(value)) {
    const rest = inLine(each, width - line.length);
    if (rest === undefined) return undefined;
    line += `${line === "" ? "" : ", "}${isList ? "" : `${JSON.stringify(key)}: `}${rest}`;
    if (line.length + 4 > width) return undefined;
  }
  if (line === "") return isList ? "[]" : "{}";
  return isList ? `[${line}]` : `{ ${line} }`;
}
