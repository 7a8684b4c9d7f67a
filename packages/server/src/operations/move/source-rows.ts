import type Database from "better-sqlite3";
import { ConfigError } from "../../platform/config/config-error.ts";
import type { Cell } from "../../platform/storage/row-digest.ts";
import type { MovedColumn, MovedTable } from "./moved-tables.ts";

/** The character that PostgreSQL's texts cannot have, and the one that stands for what cannot be shown. */
const NUL = "\u0000";
const REPLACEMENT = "\uFFFD";

const INT4 = 2n ** 31n;

/** What the rows of a table were read with. */
export interface SourceRows {
  rows: IterableIterator<Cell[]>;
  /** Texts read so far in which NUL was replaced. */
  replaced(): number;
}

/**
 * Reads a table in the order of its key, a row at a time.
 *
 * @param after the key of the last row that is not wanted; null: from the beginning.
 * @throws ConfigError for a value that PostgreSQL cannot hold.
 */
export function readRows(source: Database.Database, table: MovedTable, after: readonly string[] | null): SourceRows {
  const quoted = table.key.map((name) => `"${name}"`).join(", ");
  const where = after === null ? "" : ` where (${quoted}) > (${after.map(() => "?").join(", ")})`;
  const from = ` from "${table.name}"${where}`;
  const sql = /^nonces_\d$/.test(table.name)
    ? `select ${table.columns.map(latestUse).join(", ")}${from} group by ${quoted} order by ${quoted}`
    : `select ${table.columns.map(({ name }) => `"${name}"`).join(", ")}${from} order by ${quoted}`;
  const statement = source.prepare<unknown[], unknown[]>(sql).raw().safeIntegers();
  const typed = (after ?? []).map((text, index) => {
    const column = table.columns.find(({ name }) => name === table.key[index]);
    return column?.type === "text" ? text : BigInt(text);
  });
  let replaced = 0;
  function* rows(): IterableIterator<Cell[]> {
    for (const row of statement.iterate(...typed)) {
      yield table.columns.map((column, index) => {
        const cell = cellOf(row[index], column, () => placeOf(table, row));
        if (cell === null || !cell.includes(NUL)) return cell;
        if (table.key.includes(column.name)) throw unmovable(column, placeOf(table, row), "it has a NUL character");
        replaced++;
        return cell.replaceAll(NUL, REPLACEMENT);
      });
    }
  }
  return { rows: rows(), replaced: () => replaced };
}

/**
 * SQLite keeps every use of a nonce, PostgreSQL one row for each nonce of a partition: the last use, as the service there
 * would have it.
 */
function latestUse({ name, type }: MovedColumn): string {
  return type === "text" ? `"${name}"` : `max("${name}") as "${name}"`;
}

function cellOf(value: unknown, column: MovedColumn, place: () => string): Cell {
  if (value === null) return null;
  if (column.type === "text") {
    if (typeof value === "string") return value;
    throw unmovable(column, place(), "it is no text");
  }
  if (typeof value !== "bigint") throw unmovable(column, place(), "it is no whole number");
  if (column.type === "integer" && (value >= INT4 || value < -INT4)) {
    throw unmovable(column, place(), `${value} has more than 32 bits`);
  }
  return String(value);
}

function placeOf({ name, key, columns }: MovedTable, row: readonly unknown[]): string {
  const parts = key.map((part) => JSON.stringify(String(row[columns.findIndex((column) => column.name === part)])));
  return `${name} ${parts.join(", ")}`;
}

function unmovable({ name }: MovedColumn, place: string, why: string): ConfigError {
  return new ConfigError(`PostgreSQL cannot hold what is in ${name} of ${place}: ${why}`);
}

/** The key of a row, for {@link readRows}. */
export function keyOf({ key, columns }: MovedTable, row: readonly Cell[]): string[] {
  return key.map((part) => row[columns.findIndex(({ name }) => name === part)] ?? "");
}
