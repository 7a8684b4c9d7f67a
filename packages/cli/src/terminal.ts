/** Control characters, line feed and tab aside, and the marks that set the direction of text. */
const UNPRINTABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach the terminal.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Writes lines to standard output. */
export function print(...lines: string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}

/** Writes lines to standard error. */
export function complain(...lines: string[]): void {
  for (const line of lines) process.stderr.write(`${line}\n`);
}

/** Text of others, made harmless: what could move the cursor or disguise other text is shown as its code point. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * JSON text of others, made harmless without changing what it means: {@link printable} writes code points as JSON does,
 * and inside of strings is where they stand. Only a carriage return may stand outside, where it is mere space.
 */
export function printableJson(text: string): string {
  return printable(text.replaceAll("\r", "\n"));
}

/** Lines of `name  value`, the values in one column. */
export function columns(rows: readonly (readonly [name: string, value: string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`.trimEnd());
}

/** Lines of a table, its cells in columns. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  }
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** A time in a form that options take as well; `ms` is of the epoch. */
export function isoTime(ms: number): string {
  const time = new Date(ms);
  return Number.isNaN(time.getTime()) ? String(ms) : time.toISOString();
}
