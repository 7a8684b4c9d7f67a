/** Where a text stops being JSON. Lines and columns start at 1. */
export interface JsonFault {
  line: number;
  column: number;
  /** A description of the error at that position. */
  message: string;
}

/** Which tokens may come next: `s` is a string, `v` another scalar. */
const EXPECTED = {
  value: "sv{[",
  "first item": "sv{[]",
  "first key": "s}",
  key: "s",
  colon: ":",
  "rest of array": ",]",
  "rest of object": ",}",
  end: "",
} as const;

const SPACE = /[ \t\n\r]*/y;
const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what JSON leaves out of strings.
const PLAIN_CHARACTERS = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * The first position at which a text is not JSON (RFC 8259), which `JSON.parse` does not report reliably; null for
 * valid JSON.
 */
export function findJsonFault(text: string): JsonFault | null {
  const open: string[] = [];
  let expected: keyof typeof EXPECTED = "value";
  let at = 0;
  for (;;) {
    at = skip(SPACE, text, at);
    if (at === text.length) return expected === "end" ? null : faultAt(text, at);
    const { kind, end, broken } = tokenAt(text, at);
    if (broken) return faultAt(text, end);
    if (!EXPECTED[expected].includes(kind)) return faultAt(text, at);
    at = end;
    if (kind === "{" || kind === "[") {
      open.push(kind);
      expected = kind === "{" ? "first key" : "first item";
      continue;
    }
    if (kind === "}" || kind === "]") open.pop();
    const around = open.at(-1);
    if (kind === ":") expected = "value";
    else if (kind === ",") expected = around === "{" ? "key" : "value";
    else if (kind === "s" && expected.endsWith("key")) expected = "colon";
    else if (around === undefined) expected = "end";
    else expected = around === "{" ? "rest of object" : "rest of array";
  }
}

/** The token at a position; an invalid one ends at its first wrong character. */
function tokenAt(text: string, at: number): { kind: string; end: number; broken?: true } {
  const character = text.charAt(at);
  if ("{}[]:,".includes(character)) return { kind: character, end: at + 1 };
  if (character !== '"') {
    const end = skip(SCALAR, text, at);
    return end === at ? { kind: "v", end, broken: true } : { kind: "v", end };
  }
  let end = at + 1;
  for (;;) {
    end = skip(PLAIN_CHARACTERS, text, end);
    if (text[end] === '"') return { kind: "s", end: end + 1 };
    const escaped = skip(ESCAPE, text, end);
    if (escaped === end) return { kind: "s", end, broken: true };
    end = escaped;
  }
}

/** The position after the match of `pattern` at `at`; `at` when it does not match. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function faultAt(text: string, at: number): JsonFault {
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf("\n") + 1;
  const line = before.split("\n").length;
  const [character] = text.slice(at);
  const message = character === undefined ? "the text ends too early" : `${JSON.stringify(character)} is unexpected`;
  return { line, column: at - lineStart + 1, message };
}
