/** Control characters except line feed and tab, and characters that control the text direction. */
const UNPRINTABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach the terminal.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const COMBINING = /\p{M}/gu;
/** Wide characters: blocks that Unicode's East Asian Width makes wide, and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/gu;

/** Writes lines to standard output. */
export function print(...lines: string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}

/** Writes lines to standard error. */
export function complain(...lines: string[]): void {
  for (const line of lines) process.stderr.write(`${line}\n`);
}

/** Writes a value to standard output as JSON, harmless as {@link printableJson} makes it. */
export function printJson(value: unknown): void {
  print(printableJson(JSON.stringify(value)));
}

/** Makes untrusted text harmless: characters that could move the cursor or disguise text are shown as code points. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * Makes untrusted JSON text harmless without changing its meaning: {@link printable} escapes as JSON does, and such
 * characters occur only inside strings. Only a carriage return may occur outside, where it is white space.
 */
export function printableJson(text: string): string {
  return printable(text.replaceAll("\r", "\n"));
}

/** {@link printable} text on a single line. */
export function inOneLine(text: string): string {
  return printable(text).replaceAll("\n", " ");
}

/** The name of a field as words: `bodyHash` becomes "body hash". */
export function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
}

/** Lines of `name  value`, with the values aligned. */
export function columns(rows: readonly (readonly [name: string, value: string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => widthOf(name)));
  return rows.map(([name, value]) => `${padded(name, width)}  ${value}`.trimEnd());
}

/** A section with suggestions; empty when there are none. */
export function whatToDo(hints: readonly string[]): string[] {
  return hints.length === 0 ? [] : ["", "What to do", ...hints.map((hint) => `  - ${hint}`)];
}

/** The lines of a table with aligned columns. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, widthOf(cell));
  }
  return rows.map((row) =>
    row
      .map((cell, index) => padded(cell, widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** The width of a text in terminal columns: Chinese characters take two, combining marks none. */
function widthOf(text: string): number {
  return text.replace(COMBINING, "").replace(WIDE, "xx").length;
}

/** A time in a form that options accept; `ms` is epoch milliseconds. */
export function isoTime(ms: number): string {
  const time = new Date(ms);
  return Number.isNaN(time.getTime()) ? String(ms) : time.toISOString();
}
