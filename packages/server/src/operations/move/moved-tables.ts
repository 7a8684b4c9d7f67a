import type Database from "better-sqlite3";
import type pg from "pg";

/** What the migrations make of a table without its help, or what only one engine has a use for. */
const NOT_MOVED =
  /^(kysely_migration|kysely_migration_lock|portico_move|spare_pages|search_rows|(customer_)?search_index(_\w+)?|sqlite_\w+)$/;

/** A column that both engines have; times and ids are `bigint`, JSON is `text`. */
export interface MovedColumn {
  name: string;
  type: "text" | "integer" | "bigint";
}

/** A table whose rows are moved. */
export interface MovedTable {
  name: string;
  columns: readonly MovedColumn[];
  /** The columns of its primary key at the destination. */
  key: readonly string[];
  /** The column that PostgreSQL numbers by a sequence. */
  numbered: string | null;
}

/**
 * The tables to move, each after those that it refers to.
 *
 * @throws when the engines' schemas differ in anything but what the migrations make differ.
 */
export async function movedTables(source: Database.Database, target: pg.Client): Promise<MovedTable[]> {
  const tables = (await tablesOf(target)).filter(({ name }) => !NOT_MOVED.test(name));
  const names = source.prepare<[], string>("select name from sqlite_master where type = 'table'").pluck().all();
  const moved = new Set(tables.map(({ name }) => name));
  const left = names.filter((name) => !moved.has(name) && !NOT_MOVED.test(name));
  if (left.length > 0) throw new Error(`PostgreSQL has no table for ${left.join(", ")}`);
  for (const { name, columns } of tables) {
    const found = source.prepare<[string], string>("select name from pragma_table_info(?)").pluck().all(name);
    const expected = columns.map((column) => column.name);
    if (found.toSorted().join() !== expected.toSorted().join()) {
      throw new Error(
        `the table ${name} has the columns ${found.join(", ")}, and at PostgreSQL ${expected.join(", ")}`,
      );
    }
  }
  return inOrder(tables, await referencesOf(target));
}

async function tablesOf(target: pg.Client): Promise<MovedTable[]> {
  const { rows } = await target.query<{
    name: string;
    columns: MovedColumn[];
    key: string[];
    numbered: string | null;
  }>(`
    select c.relname as name,
      (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
        from pg_attribute as a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      (select json_agg(a.attname order by array_position(i.indkey::int2[], a.attnum))
        from pg_index as i join pg_attribute as a on a.attrelid = c.oid and a.attnum = any (i.indkey)
        where i.indrelid = c.oid and i.indisprimary) as key,
      (select min(a.attname) from pg_attribute as a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          and pg_get_serial_sequence(quote_ident(c.relname), a.attname) is not null) as numbered
    from pg_class as c where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = quote_ident(current_schema())::regnamespace
    order by c.relname`);
  return rows;
}

/** Pairs of a table and one that its rows refer to. */
async function referencesOf(target: pg.Client): Promise<{ from: string; to: string }[]> {
  const { rows } = await target.query<{ from: string; to: string }>(`
    select distinct f.relname as "from", t.relname as "to" from pg_constraint
    join pg_class as f on f.oid = conrelid join pg_class as t on t.oid = confrelid
    where contype = 'f' and f.relnamespace = quote_ident(current_schema())::regnamespace and conrelid <> confrelid`);
  return rows;
}

function inOrder(tables: readonly MovedTable[], references: readonly { from: string; to: string }[]): MovedTable[] {
  const ordered: MovedTable[] = [];
  const left = new Map(tables.map((table) => [table.name, table]));
  while (left.size > 0) {
    const ready = [...left.values()].filter(
      ({ name }) => !references.some(({ from, to }) => from === name && left.has(to)),
    );
    if (ready.length === 0) throw new Error(`tables refer to each other in a circle: ${[...left.keys()].join(", ")}`);
    for (const table of ready) {
      ordered.push(table);
      left.delete(table.name);
    }
  }
  return ordered;
}
