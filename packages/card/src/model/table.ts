import { isJsonObject, type JsonObject, listOf, member } from "./json.ts";
import { DRAWN } from "./limits.ts";
import { cut, firstText, textOf } from "./text.ts";

/** A table as texts, cut to what is shown. */
export interface Table {
  header: readonly string[];
  rows: readonly (readonly string[])[];
  /** How many rows and columns are left out. */
  moreRows: number;
  moreColumns: number;
}

const ENTRIES_JOINED = 10;

/**
 * Reads a table: `rows`, arrays of which the first is the header; else `columns`, each with its heading and either the
 * name under which the `rows`, then objects, hold its cells, or the cells themselves.
 */
export function readTable(element: JsonObject): Table {
  const rows = listOf(element, "rows");
  if (rows.some(Array.isArray)) {
    const [header = [], ...others] = rows.map((row) => (Array.isArray(row) ? row : [row]));
    return tableOf(header, others.length, (row) => others[row] ?? []);
  }
  const columns = listOf(element, "columns");
  const cells = columns.map((column) => cellsOf(column, rows));
  const height = Math.max(0, ...cells.slice(0, DRAWN.columns).map((column) => column.length));
  return tableOf(columns.map(headingOf), height, (row) => cells.slice(0, DRAWN.columns).map((column) => column[row]));
}

function tableOf(header: readonly unknown[], height: number, row: (index: number) => readonly unknown[]): Table {
  const rows = Array.from({ length: Math.min(height, DRAWN.rows) }, (_, index) => row(index));
  const width = Math.max(header.length, ...rows.map((cells) => cells.length));
  const shown = Math.min(width, DRAWN.columns);
  const fit = (cells: readonly unknown[]) => Array.from({ length: shown }, (_, column) => cellText(cells[column]));
  return {
    header: fit(header),
    rows: rows.map(fit),
    moreRows: Math.max(0, height - rows.length),
    moreColumns: width - shown,
  };
}

function headingOf(column: unknown): unknown {
  if (Array.isArray(column)) return column[0];
  if (!isJsonObject(column)) return column;
  return firstText(column, ["display_name", "title", "label", "header", "content", "text", "name"]);
}

function cellsOf(column: unknown, rows: readonly unknown[]): readonly unknown[] {
  if (Array.isArray(column)) return column.slice(1);
  if (!isJsonObject(column)) return [];
  const name = member(column, "name");
  if (rows.length > 0 && typeof name === "string") {
    return rows.map((row) => (isJsonObject(row) ? member(row, name) : undefined));
  }
  for (const field of ["elements", "values", "data", "rows"]) {
    const own = listOf(column, field);
    if (own.length > 0) return own;
  }
  return [];
}

function cellText(cell: unknown): string {
  const entries = Array.isArray(cell) ? cell.slice(0, ENTRIES_JOINED) : [cell];
  return cut(entries.map(entryText).join(", "), DRAWN.captionChars);
}

function entryText(entry: unknown): string {
  return textOf(entry) || (isJsonObject(entry) ? firstText(entry, ["text", "name", "value"]) : "");
}
