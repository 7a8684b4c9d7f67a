import { isRawJson, isRawJsonFound } from "../raw-json.ts";

const encoder = new TextEncoder();

/** An array or object being written; `keys` is null for an array. */
interface Frame {
  keys: readonly string[] | null;
  values: readonly unknown[];
  /** Index of the next value. */
  next: number;
}

/**
 * The compact JSON of a JSON value, as `JSON.stringify` writes it, but for any depth: within its maximum size, a card
 * can be nested some thousands deep outside its components, which overflows the stack. What is raw JSON in it is written
 * as it stands.
 */
export function compactJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError || isRawJsonFound(error)) return writeWithoutRecursion(value);
    throw error;
  }
}

/** A string, with and without escapes in it, a number or word, a mark, or blanks between them. */
const TOKENS = /"[^"\\]*"|("[^"\\]*(?:\\.[^"\\]*)+")|[^\s"]+|(\s+)/g;

/**
 * A JSON text without blanks between its tokens, its strings as `JSON.stringify` writes them. Nothing else changes:
 * numbers keep their spelling and members their order, repeated ones too.
 *
 * @param json a valid JSON text.
 */
export function compactText(json: string): string {
  return json.replace(TOKENS, (token: string, escaped: string | undefined, blanks: string | undefined) => {
    if (blanks !== undefined) return "";
    return escaped === undefined ? token : JSON.stringify(JSON.parse(escaped));
  });
}

/** Size of a text in UTF-8 bytes. */
export function utf8Bytes(text: string): number {
  return encoder.encode(text).length;
}

function writeWithoutRecursion(root: unknown): string {
  const open: Frame[] = [];
  let json = "";
  let value = root;
  for (;;) {
    const begun = frameOf(value);
    if (begun) {
      open.push(begun);
      json += begun.keys ? "{" : "[";
    } else json += writeLeaf(value);
    let frame = open.at(-1);
    while (frame && frame.next === frame.values.length) {
      json += frame.keys ? "}" : "]";
      open.pop();
      frame = open.at(-1);
    }
    if (!frame) return json;
    if (frame.next > 0) json += ",";
    if (frame.keys) json += `${JSON.stringify(frame.keys[frame.next])}:`;
    value = frame.values[frame.next];
    frame.next += 1;
  }
}

function writeLeaf(value: unknown): string {
  return typeof value === "object" && value !== null && isRawJson(value)
    ? value.text
    : (JSON.stringify(value) ?? "null");
}

function frameOf(value: unknown): Frame | undefined {
  if (Array.isArray(value)) return { keys: null, values: value, next: 0 };
  if (typeof value !== "object" || value === null || isRawJson(value)) return undefined;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return { keys: entries.map(([key]) => key), values: entries.map(([, entry]) => entry), next: 0 };
}
