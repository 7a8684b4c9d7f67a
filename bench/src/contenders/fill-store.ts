import { join } from "node:path";
import Database from "better-sqlite3";
import pg from "pg";
import { defineSqlFunctions } from "../../../packages/server/src/platform/storage/sqlite/sqlite.ts";

/** Rows inserted in one transaction. */
const AT_ONCE = 5_000;
const BUSY_TIMEOUT_MS = 60_000;

/** Where a service keeps its data. */
export interface Store {
  /** The service's data directory, with the embedded database in `portico.db`. */
  dataDir: string;
  /** The database of a distributed service; null when embedded. */
  postgresUrl: string | null;
}

/** A row to insert, by column names; all rows of a table have the same columns. */
export type Row = Record<string, string | number | null>;

/** Inserts directly into the tables: through the API it would take an hour. */
export async function fillStore(
  store: Store,
  table: string,
  count: number,
  row: (index: number) => Row,
): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const add =
    store.postgresUrl === null ? openSqlite(store.dataDir, opened) : await openPostgres(store.postgresUrl, opened);
  for (let first = 0; first < count; first += AT_ONCE) {
    await add(
      table,
      Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, index) => row(first + index)),
    );
  }
}

/**
 * Does for rows that were inserted at once what a database does over time for those that come one by one: SQLite's log
 * is copied, PostgreSQL counts its rows and writes its pages.
 */
export async function settle({ dataDir, postgresUrl }: Store): Promise<void> {
  if (postgresUrl === null) {
    const database = new Database(join(dataDir, "portico.db"), { timeout: BUSY_TIMEOUT_MS });
    database.pragma("wal_checkpoint(passive)");
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    await client.query("vacuum (analyze)");
    await client.query("checkpoint");
  } finally {
    await client.end();
  }
}

type Add = (table: string, rows: Row[]) => Promise<void>;

function openSqlite(dataDir: string, opened: AsyncDisposableStack): Add {
  const database = new Database(join(dataDir, "portico.db"), { timeout: BUSY_TIMEOUT_MS });
  opened.defer(() => void database.close());
  defineSqlFunctions(database);
  return async (table, rows) => {
    const columns = Object.keys(rows[0] ?? {});
    const values = columns.map((column) => `@${column}`);
    const insert = database.prepare(`insert into ${table} (${columns}) values (${values})`);
    database.transaction(() => {
      for (const row of rows) insert.run(row);
    })();
  };
}

async function openPostgres(url: string, opened: AsyncDisposableStack): Promise<Add> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  opened.defer(() => client.end());
  return async (table, rows) => {
    const columns = Object.keys(rows[0] ?? {});
    const given = `json_populate_recordset(null::${table}, $1)`;
    await client.query(`insert into ${table} (${columns}) select ${columns} from ${given}`, [JSON.stringify(rows)]);
  };
}
