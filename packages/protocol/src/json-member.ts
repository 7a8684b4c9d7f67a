/**
 * The text of a member of a JSON object, exactly as written; of duplicate keys, the last one. Null when there is no
 * such member.
 *
 * @param json a valid JSON object; it is not validated again.
 */
export function memberText(json: string, name: string): string | null {
  let found: string | null = null;
  let at = skipSpace(json, skipSpace(json, 0) + 1);
  while (json[at] !== "}") {
    const keyEnd = endOfString(json, at);
    const key: unknown = JSON.parse(json.slice(at, keyEnd));
    const start = skipSpace(json, skipSpace(json, keyEnd) + 1);
    const end = endOfValue(json, start);
    if (key === name) found = json.slice(start, end);
    at = skipSpace(json, end);
    if (json[at] === ",") at = skipSpace(json, at + 1);
  }
  return found;
}

function skipSpace(json: string, from: number): number {
  let at = from;
  while (json[at] === " " || json[at] === "\n" || json[at] === "\r" || json[at] === "\t") at++;
  return at;
}

function endOfString(json: string, from: number): number {
  let at = from + 1;
  while (json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** Counts brackets instead of recursing, so that the nesting depth is unlimited. */
function endOfValue(json: string, from: number): number {
  let depth = 0;
  let at = from;
  do {
    const character = json[at];
    if (character === '"') at = endOfString(json, at);
    else {
      if (character === "{" || character === "[") depth++;
      else if (character === "}" || character === "]") depth--;
      at++;
    }
  } while (depth > 0);
  const opened = json[from];
  if (opened === "{" || opened === "[" || opened === '"') return at;
  while (at < json.length && !/[\s,}\]]/.test(json[at] ?? "")) at++;
  return at;
}
