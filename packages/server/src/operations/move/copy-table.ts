import type Database from "better-sqlite3";
import type pg from "pg";
import type { Cell } from "../../platform/storage/row-digest.ts";
import { advance, placeOf } from "./move-state.ts";
import type { MovedTable } from "./moved-tables.ts";
import { keyOf, readRows } from "./source-rows.ts";

/** The most of one statement; what is read ahead is as much again. */
const BATCH_ROWS = 2_000;
const BATCH_CHARACTERS = 1024 * 1024;

/** Whither a table is copied, and who is told. */
export interface Copying {
  source: Database.Database;
  target: pg.Client;
  /** Is told the rows that are there, after every batch. */
  told: (rows: number) => void;
  signal?: AbortSignal | undefined;
}

/** Copies a table, from where an interrupted copy of it ended, and sets its sequence. */
export async function copyTable(table: MovedTable, { source, target, told, signal }: Copying): Promise<void> {
  let place = await placeOf(target, table.name);
  if (place?.isDone) return told(place.rows);
  const { rows } = readRows(source, table, place?.after ?? null);
  const store = async (batch: readonly Cell[][]) => {
    const to = { after: keyOf(table, batch.at(-1) ?? []), rows: (place?.rows ?? 0) + batch.length, isDone: false };
    await inTransaction(target, async () => {
      await insert(target, table, batch);
      await advance(target, table.name, place, to);
    });
    place = to;
    told(to.rows);
  };
  // The next batch is read while PostgreSQL stores the last one.
  let storing = Promise.resolve();
  try {
    for (const batch of batchesOf(rows)) {
      await storing;
      signal?.throwIfAborted();
      storing = store(batch);
    }
  } finally {
    await storing;
  }
  await inTransaction(target, async () => {
    await setSequence(target, table);
    await advance(target, table.name, place, { after: [], rows: place?.rows ?? 0, isDone: true });
  });
}

function* batchesOf(rows: Iterable<Cell[]>): IterableIterator<Cell[][]> {
  let batch: Cell[][] = [];
  let characters = 0;
  for (const row of rows) {
    batch.push(row);
    for (const cell of row) characters += cell?.length ?? 0;
    if (batch.length < BATCH_ROWS && characters < BATCH_CHARACTERS) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

/** One statement, whose parameters are the columns. */
async function insert(target: pg.Client, { name, columns }: MovedTable, batch: readonly Cell[][]): Promise<void> {
  const names = columns.map((column) => `"${column.name}"`).join(", ");
  const lists = columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(", ");
  const values = columns.map((_, index) => batch.map((row) => row[index] ?? null));
  await target.query(`insert into "${name}" (${names}) select * from unnest(${lists})`, values);
}

/** The next row gets the number that SQLite would have given it. */
async function setSequence(target: pg.Client, { name, numbered }: MovedTable): Promise<void> {
  if (numbered === null) return;
  await target.query(
    `select setval(pg_get_serial_sequence($1, $2), coalesce(max("${numbered}"), 1), count(*) > 0) from "${name}"`,
    [`"${name}"`, numbered],
  );
}

async function inTransaction(target: pg.Client, work: () => Promise<void>): Promise<void> {
  await target.query("begin");
  try {
    await work();
    await target.query("commit");
  } catch (error) {
    await target.query("rollback").catch(() => {});
    throw error;
  }
}
