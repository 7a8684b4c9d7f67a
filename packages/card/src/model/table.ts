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

/** The cells of a column, read one by one: a table may name more of them than anybody could hold. */
interface Column {
  height: number;
  cellAt(row: number): unknown;
}

const ENTRIES_JOINED = 10;

/**
 * Reads a table: `rows`, arrays of which the first is the header; else `columns`, each with its heading and either the
 * name under which the `rows`, then objects, hold its cells, or the cells themselves.
 */
export function readTable(element: JsonObject): Table {
  const rows = listOf(element, "rows");
  if (rows.some(Array.isArray)) {
    const [header = [], ...others] = rows.slice(0, 1 + DRAWN.rows).map((row) => (Array.isArray(row) ? row : [row]));
    const width = Math.max(header.length, ...others.map((cells) => cells.length));
    return tableOf(header, width, rows.length - 1, (row, column) => others[row]?.[column]);
  }
  const columns = listOf(element, "columns");
  const shown = columns.slice(0, DRAWN.columns);
  const cells = shown.map((column) => columnOf(column, rows));
  const height = Math.max(0, ...cells.map((column) => column.height));
  return tableOf(shown.map(headingOf), columns.length, height, (row, column) => cells[column]?.cellAt(row));
}

function tableOf(
  header: readonly unknown[],
  width: number,
  height: number,
  cellAt: (row: number, column: number) => unknown,
): Table {
  const [columns, rows] = [Math.min(width, DRAWN.columns), Math.min(height, DRAWN.rows)];
  const texts = (cell: (column: number) => unknown) =>
    Array.from({ length: columns }, (_, column) => cellText(cell(column)));
  return {
    header: texts((column) => header[column]),
    rows: Array.from({ length: rows }, (_, row) => texts((column) => cellAt(row, column))),
    moreRows: height - rows,
    moreColumns: width - columns,
  };
}

function headingOf(column: unknown): unknown {
  if (Array.isArray(column)) return column[0];
  if (!isJsonObject(column)) return column;
  return firstText(column, ["display_name", "title", "label", "header", "content", "text", "name"]);
}

function columnOf(column: unknown, rows: readonly unknown[]): Column {
  if (Array.isArray(column)) return { height: Math.max(0, column.length - 1), cellAt: (row) => column[row + 1] };
  if (!isJsonObject(column)) return { height: 0, cellAt: () => undefined };
  const name = member(column, "name");
  if (rows.length > 0 && typeof name === "string") {
    return { height: rows.length, cellAt: (row) => memberOf(rows[row], name) };
  }
  const own = ["elements", "values", "data", "rows"].map((field) => listOf(column, field));
  const cells = own.find((list) => list.length > 0) ?? [];
  return { height: cells.length, cellAt: (row) => cells[row] };
}

function memberOf(row: unknown, name: string): unknown {
  return isJsonObject(row) ? member(row, name) : undefined;
}

function cellText(cell: unknown): string {
  const entries = Array.isArray(cell) ? cell.slice(0, ENTRIES_JOINED) : [cell];
  return cut(entries.map(entryText).join(", "), DRAWN.captionChars);
}

function entryText(entry: unknown): string {
  return textOf(entry) || (isJsonObject(entry) ? firstText(entry, ["text", "name", "value"]) : "");
}
