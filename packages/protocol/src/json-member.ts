/** Where a value stands in a JSON text: from its first character to behind its last. */
export interface Span {
  from: number;
  to: number;
}

/**
 * The text of a member of a JSON object, exactly as written; of duplicate keys, the last one. Null when there is no
 * such member.
 *
 * @param json a valid JSON object; it is not validated again.
 */
export function memberText(json: string, name: string): string | null {
  const span = memberSpans(json).get(name);
  return span === undefined ? null : json.slice(span.from, span.to);
}

/**
 * Where the values of an object's members stand, in the order of their first names; of duplicate keys, the last one, as
 * `JSON.parse` reads them.
 *
 * @param json a valid JSON text, in which an object begins at `from`, after blanks; it is not validated again.
 */
export function memberSpans(json: string, from = 0): Map<string, Span> {
  const spans = new Map<string, Span>();
  let at = skipSpace(json, skipSpace(json, from) + 1);
  while (json.charCodeAt(at) !== BRACE_CLOSES) {
    const keyEnd = endOfString(json, at);
    const value = spanOfValue(json, skipSpace(json, keyEnd) + 1);
    spans.set(keyIn(json, at, keyEnd), value);
    at = skipComma(json, value.to);
  }
  return spans;
}

/**
 * Where the items of an array stand.
 *
 * @param json a valid JSON text, in which an array begins at `from`, after blanks; it is not validated again.
 */
export function itemSpans(json: string, from = 0): Span[] {
  const spans: Span[] = [];
  let at = skipSpace(json, skipSpace(json, from) + 1);
  while (json.charCodeAt(at) !== BRACKET_CLOSES) {
    const item = spanOfValue(json, at);
    spans.push(item);
    at = skipComma(json, item.to);
  }
  return spans;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const BRACE_OPENS = 0x7b;
const BRACE_CLOSES = 0x7d;
const BRACKET_OPENS = 0x5b;
const BRACKET_CLOSES = 0x5d;

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function skipSpace(json: string, from: number): number {
  let at = from;
  while (isSpace(json.charCodeAt(at))) at++;
  return at;
}

/** The next member or item, or the end of the object or array. */
function skipComma(json: string, from: number): number {
  const at = skipSpace(json, from);
  return json.charCodeAt(at) === COMMA ? skipSpace(json, at + 1) : at;
}

function keyIn(json: string, from: number, to: number): string {
  const key = json.slice(from + 1, to - 1);
  return key.includes("\\") ? (JSON.parse(json.slice(from, to)) as string) : key;
}

function spanOfValue(json: string, from: number): Span {
  const start = skipSpace(json, from);
  return { from: start, to: endOfValue(json, start) };
}

function endOfString(json: string, from: number): number {
  let at = json.indexOf('"', from + 1);
  while (isEscaped(json, at)) at = json.indexOf('"', at + 1);
  return at + 1;
}

/** Whether an odd number of backslashes stands before a place. */
function isEscaped(json: string, at: number): boolean {
  let before = at;
  while (json.charCodeAt(before - 1) === BACKSLASH) before--;
  return (at - before) % 2 === 1;
}

/** Counts brackets instead of recursing, so that the nesting depth is unlimited. */
function endOfValue(json: string, from: number): number {
  const opened = json.charCodeAt(from);
  if (opened === QUOTE) return endOfString(json, from);
  if (opened !== BRACE_OPENS && opened !== BRACKET_OPENS) return endOfWord(json, from);
  let depth = 0;
  let at = from;
  do {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at);
    else {
      if (code === BRACE_OPENS || code === BRACKET_OPENS) depth++;
      else if (code === BRACE_CLOSES || code === BRACKET_CLOSES) depth--;
      at++;
    }
  } while (depth > 0);
  return at;
}

/** Of a number, or of `true`, `false` or `null`. */
function endOfWord(json: string, from: number): number {
  let at = from;
  for (; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === COMMA || code === BRACE_CLOSES || code === BRACKET_CLOSES || isSpace(code)) break;
  }
  return at;
}
