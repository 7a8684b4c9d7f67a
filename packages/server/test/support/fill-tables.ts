import type Database from "better-sqlite3";

/** What a text may be, and what engines or drivers get wrong about it. */
const TEXTS = [
  "",
  "NULL",
  `{"a":"\\u0000 \\\\ \\"b\\""}`,
  'it\'s "quoted", {braced}\\ \r\n\t',
  "中文 🙂 e\u0301 \u{10FFFF}\u0001",
];
/** Rows of each table. */
const ROWS = TEXTS.length;

/** Tables without rows of their own: the engine's, the migrator's, and what triggers fill. */
const NOT_FILLED = /^(sqlite_|kysely_|search_|customer_search_index|spare_pages)/;

interface Column {
  name: string;
  type: string;
  notnull: 0 | 1;
  pk: number;
}

/** Writes rows with awkward values into every table of a database of SQLite. Returns their tables. */
export function fillTables(database: Database.Database): string[] {
  const names = database
    .prepare<[], string>("select name from sqlite_master where type = 'table' order by name")
    .pluck()
    .all()
    .filter((name) => !NOT_FILLED.test(name));
  database.pragma("foreign_keys = off");
  for (const name of names) fill(database, name);
  const broken = database.pragma("foreign_key_check");
  if (!Array.isArray(broken) || broken.length > 0) throw new Error(`rows refer to none: ${JSON.stringify(broken)}`);
  return names;
}

function fill(database: Database.Database, table: string): void {
  const columns = database.pragma(`table_info("${table}")`) as Column[];
  const references = database.pragma(`foreign_key_list("${table}")`) as { from: string; table: string; to: string }[];
  const insert = database.prepare(
    `insert into "${table}" (${columns.map(({ name }) => `"${name}"`).join(", ")}) values (${columns.map(() => "?").join(", ")})`,
  );
  for (let row = 0; row < ROWS; row++) {
    const values = columns.map((column) => {
      const reference = references.find(({ from }) => from === column.name);
      if (reference === undefined) return awkwardValue(table, column, row);
      const parent = database.pragma(`table_info("${reference.table}")`) as Column[];
      const key = parent.find(({ name }) => name === reference.to);
      if (key === undefined) throw new Error(`${reference.table} has no ${reference.to}`);
      return awkwardValue(reference.table, key, row);
    });
    insert.run(...values);
  }
}

/** Differs between the rows of a table, so that every unique index is satisfied. */
function awkwardValue(table: string, column: Column, row: number): string | bigint | null {
  const { name, notnull, pk } = column;
  const type = column.type.toLowerCase();
  if (pk === 0 && notnull === 0 && row === 0) return null;
  if (type === "text") return pk > 0 ? `${table} ${row} ${TEXTS[row]}` : `${TEXTS[row]}${row === 0 ? "" : row}`;
  // The next number of a sequence has to be one that the service can handle.
  if (pk > 0) return (type === "integer" && name !== "message_id" ? 2n ** 20n : 2n ** 40n) + BigInt(row);
  if (type === "integer") return [0n, 1n, -1n, 2n ** 31n - 1n, -(2n ** 31n)][row] ?? 0n;
  return [0n, -1n, 2n ** 31n, 2n ** 53n - 1n, -(2n ** 53n) + 1n][row] ?? 0n;
}
