import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Db, Dialect } from "../schema.ts";
import { oneContains } from "./contains-text.ts";
import { postgresQuery, sqliteMatch } from "./search-grams.ts";

/** The most rows that a search returns; of more, the first in the order of the list. */
export const MAX_FOUND = 1_000;

/** The searched tables: key, column of the search scope, and text columns. The index (migration 0008) has the same. */
export const SEARCHED = {
  apps: { id: "app_id", scope: null, texts: ["display_name", "app_id"] },
  developers: { id: "developer_id", scope: null, texts: ["phone", "name", "developer_id"] },
  groups: { id: "group_id", scope: "tenant_id", texts: ["group_id", "name"] },
  members: { id: "user_id", scope: "tenant_id", texts: ["username", "name", "phone", "user_id"] },
  tenants: { id: "tenant_id", scope: null, texts: ["tenant_id", "name"] },
  visitors: {
    id: "visitor_id",
    scope: "app_id",
    texts: ["visitor_id", "third_user_id", "nickname", "phone", "email"],
  },
} as const satisfies Record<string, { id: string; scope: string | null; texts: readonly string[] }>;

type Searched = keyof typeof SEARCHED;

/** Selects rows of a table. */
export interface Wanted {
  /** The tenant or application of the rows, for a table whose searches have a scope. */
  scope?: string;
  /** A text that one of the columns must contain; empty for all rows. */
  keyword: string;
  /** Further conditions on the rows. */
  conditions?: Expression<SqlBool>[];
  /** The columns to search; default: the table's text columns. */
  texts?: readonly string[];
}

/** The selected rows and their number, which for a keyword is at most {@link MAX_FOUND}. */
export interface Selection {
  where: Expression<SqlBool>;
  total: number;
}

/** Selects the rows of a paged list. */
export async function select(db: Db, dialect: Dialect, table: Searched, wanted: Wanted): Promise<Selection> {
  const { where, found } = await search(db, dialect, table, wanted);
  return { where, total: found ?? (await count(db, sql`select 1 from ${sql.table(table)} where ${where}`)) };
}

/**
 * Searches for the keyword, if there is one. Few matches are found by the index; when there are more than
 * {@link MAX_FOUND}, scanning in the order of the list soon meets the first of them.
 *
 * @returns `found` is null for all rows.
 */
export async function search(
  db: Db,
  dialect: Dialect,
  table: Searched,
  wanted: Wanted,
): Promise<{ where: Expression<SqlBool>; found: number | null }> {
  const { keyword, conditions = [] } = wanted;
  const { scope: column, id } = SEARCHED[table];
  const own = column === null ? [] : [sql<SqlBool>`${sql.ref(`${table}.${column}`)} = ${wanted.scope}`];
  const all = allOf([...own, ...conditions]);
  if (keyword === "") return { where: all, found: null };
  const texts = (wanted.texts ?? SEARCHED[table].texts).map((name) => `${table}.${name}`);
  const holding = allOf([all, oneContains(dialect, texts, keyword)]);
  const byIndex = foundByIndex(dialect, table, wanted, holding);
  const found = await count(db, byIndex);
  if (found > MAX_FOUND) return { where: holding, found: MAX_FOUND };
  return { where: isAmong(dialect, `${table}.${id}`, byIndex), found };
}

/** A query for the ids of the rows that contain the keyword, with one more than the limit. */
function foundByIndex(dialect: Dialect, table: Searched, { scope, keyword }: Wanted, holding: Expression<SqlBool>) {
  const { id: idColumn, scope: scopeColumn, texts } = SEARCHED[table];
  const id = sql.ref(`${table}.${idColumn}`);
  const scopeName = `${table}:${scope ?? ""}`;
  if (dialect === "sqlite") {
    return sql`select ${id} from search_index
      cross join search_rows on search_rows.search_id = search_index.rowid and search_rows.kind = ${sql.lit(table)}
      cross join ${sql.table(table)} on ${id} = search_rows.entity_id
      where search_index match ${sqliteMatch(scopeName, keyword)} and ${holding} limit ${sql.lit(MAX_FOUND + 1)}`;
  }
  const columns = sql.join(texts.map((text) => sql.ref(`${table}.${text}`)));
  const indexed =
    scopeColumn === null
      ? sql`search_grams(${sql.lit(scopeName)}, ${columns})`
      : sql`search_grams(${sql.lit(`${table}:`)} || ${sql.ref(`${table}.${scopeColumn}`)}, ${columns})`;
  return sql`select ${id} from ${sql.table(table)}
    where ${indexed} @@ ${postgresQuery(scopeName, keyword)}::tsquery and ${holding} limit ${sql.lit(MAX_FOUND + 1)}`;
}

/**
 * An SQL condition: a column is among the few results of a query. On PostgreSQL they are made an array first; it would
 * otherwise scan a whole table in the order of the list and look up each row.
 *
 * @param column `table.column`; must not come from a caller.
 */
export function isAmong(dialect: Dialect, column: string, query: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return dialect === "sqlite"
    ? sql<SqlBool>`${sql.ref(column)} in (${query})`
    : sql<SqlBool>`${sql.ref(column)} = any (array(${query}))`;
}

function allOf(conditions: Expression<SqlBool>[]): RawBuilder<SqlBool> {
  return conditions.length === 0 ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

async function count(db: Db, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from (${query}) as counted`.execute(db);
  return Number(rows[0]?.total ?? 0);
}
