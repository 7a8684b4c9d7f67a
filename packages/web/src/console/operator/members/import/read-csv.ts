/** A row of a CSV text, and the line of the text in which it begins, from 1. */
export interface CsvRow {
  line: number;
  values: string[];
}

/**
 * Reads CSV (RFC 4180): values in double quotes may hold commas, quotes (doubled) and line ends, and lines may end in LF or
 * CRLF. A byte order mark is ignored, and so are lines with nothing on them.
 *
 * @throws CsvError when a quoted value does not end.
 */
export function readCsv(text: string): CsvRow[] {
  const rows: CsvRow[] = [];
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  let line = 1;
  while (at < text.length) {
    const row: CsvRow = { line, values: [] };
    let isQuoted = false;
    for (;;) {
      const value = text[at] === '"' ? quoted(text, at, row.line) : plain(text, at);
      isQuoted ||= text[at] === '"';
      row.values.push(value.text);
      line += value.lines;
      at = value.end;
      if (text[at] !== ",") break;
      at++;
    }
    if (text[at] === "\r") at++;
    if (text[at] === "\n") at++;
    line++;
    if (isQuoted || row.values.length > 1 || row.values[0]?.trim() !== "") rows.push(row);
  }
  return rows;
}

/** A CSV text that cannot be read to its end. */
export class CsvError extends Error {
  override readonly name = "CsvError";
  /** Where the value begins that does not end. */
  readonly line: number;

  constructor(line: number) {
    super(`the quoted value in line ${line} does not end`);
    this.line = line;
  }
}

interface Value {
  text: string;
  /** The place after it. */
  end: number;
  /** The line ends inside of it. */
  lines: number;
}

function plain(text: string, start: number): Value {
  let end = start;
  while (end < text.length && text[end] !== "," && text[end] !== "\n" && text[end] !== "\r") end++;
  return { text: text.slice(start, end), end, lines: 0 };
}

/** What follows the closing quote, up to the next comma, belongs to the value: others write files, too. */
function quoted(text: string, start: number, line: number): Value {
  let value = "";
  for (let at = start + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote === -1) throw new CsvError(line);
    value += text.slice(at, quote);
    if (text[quote + 1] === '"') {
      value += '"';
      at = quote + 2;
      continue;
    }
    const rest = plain(text, quote + 1);
    return { text: value + rest.text, end: rest.end, lines: value.split("\n").length - 1 };
  }
}
