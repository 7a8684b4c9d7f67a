/** The OID of the type text, which its binary arrays name. */
const TEXT_OID = 25;
/** Dimensions, whether there are nulls, the type of the items, the length and the lower bound. */
const HEAD_BYTES = 5 * 4;

/**
 * The binary form of a `text[]` parameter (`array_recv` and `textrecv` of PostgreSQL): for texts such as JSON, of which every
 * quotation mark would be escaped here and unescaped there.
 */
export function binaryTexts(texts: readonly (string | null)[]): Buffer {
  let length = HEAD_BYTES;
  for (const text of texts) length += 4 + (text === null ? 0 : Buffer.byteLength(text));
  const bytes = Buffer.allocUnsafe(length);
  bytes.writeInt32BE(1, 0);
  bytes.writeInt32BE(texts.includes(null) ? 1 : 0, 4);
  bytes.writeInt32BE(TEXT_OID, 8);
  bytes.writeInt32BE(texts.length, 12);
  bytes.writeInt32BE(1, 16);
  let at = HEAD_BYTES;
  for (const text of texts) {
    const written = text === null ? -1 : bytes.write(text, at + 4);
    bytes.writeInt32BE(written, at);
    at += 4 + Math.max(0, written);
  }
  return bytes;
}

/** Whether the binary form of these is the shorter way: all are texts or null, and some text has to be escaped. */
export function hasEscapes(items: readonly unknown[]): items is readonly (string | null)[] {
  let found = false;
  for (const item of items) {
    if (item === null) continue;
    if (typeof item !== "string") return false;
    found ||= TO_ESCAPE.test(item);
  }
  return found;
}

const TO_ESCAPE = /["\\]/;
const ALL_TO_ESCAPE = /["\\]/g;

/**
 * The text form of an array parameter (PostgreSQL's documentation, "Array Input and Output Syntax"). Statements for many
 * calls have a dozen arrays each, and the driver's own form takes two replacements for each element.
 *
 * @returns null for arrays of anything but texts, numbers and null, which the driver writes itself.
 */
export function arrayLiteral(items: readonly unknown[]): string | null {
  let text = "{";
  let comma = "";
  for (const item of items) {
    text += comma;
    comma = ",";
    if (item === null) text += "NULL";
    else if (typeof item === "number") text += item;
    else if (typeof item === "string") text += quoted(item);
    else return null;
  }
  return `${text}}`;
}

function quoted(text: string): string {
  return TO_ESCAPE.test(text) ? `"${text.replace(ALL_TO_ESCAPE, "\\$&")}"` : `"${text}"`;
}
