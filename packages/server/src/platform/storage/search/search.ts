import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Db, Dialect } from "../schema.ts";
import { oneContains } from "./contains-text.ts";
import { postgresQuery, sqliteMatch } from "./search-grams.ts";

/** A search finds so many rows at most; of more that hold the keyword it lists the first. */
export const MAX_FOUND = 1_000;

/**
 * What is searched: the key of each table, what its searches keep to, and the texts that a keyword is looked for in. The index
 * (migration 0008) is over the same.
 */
const SEARCHED = {
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
} as const;

type Searched = keyof typeof SEARCHED;

/** Which rows of a table. */
export interface Wanted {
  /** The tenant or application they belong to, where the table's searches keep to one. */
  scope?: string;
  /** What one of the texts has to hold; empty for all rows. */
  keyword: string;
  /** What else has to be true of them. */
  conditions?: Expression<SqlBool>[];
  /** The columns in which the keyword is looked for; those that are searched when it is left out. */
  texts?: readonly string[];
}

/** Which rows are wanted, and how many there are; at most {@link MAX_FOUND} where they are those that hold a keyword. */
export interface Selection {
  where: Expression<SqlBool>;
  total: number;
}

/** Selects what a list shows pages of. */
export async function select(db: Db, dialect: Dialect, table: Searched, wanted: Wanted): Promise<Selection> {
  const { where, found } = await search(db, dialect, table, wanted);
  return { where, total: found ?? (await count(db, sql`select 1 from ${sql.table(table)} where ${where}`)) };
}

/**
 * Looks the keyword up, if there is one. Few rows that hold it are found by index; of very many (more than {@link MAX_FOUND})
 * the first in the order of a list are soon met when it is gone through.
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

/** A query for the ids of those that hold the keyword, one more than are listed. */
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
 * Whether a column is one of those that a query selects, which are few. PostgreSQL makes an array of them first: it would
 * otherwise go through a whole table in the order of a list, and look for each row in them.
 *
 * @param column `table.column`, never from outside.
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
