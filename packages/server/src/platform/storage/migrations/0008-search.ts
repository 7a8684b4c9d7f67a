import { type Kysely, sql } from "kysely";
import type { Dialect, Schema } from "../schema.ts";

/** The searched tables: key, column of the search scope, text columns. */
const SEARCHED = [
  { table: "apps", id: "app_id", scope: null, texts: ["display_name", "app_id"] },
  { table: "developers", id: "developer_id", scope: null, texts: ["phone", "name", "developer_id"] },
  { table: "groups", id: "group_id", scope: "tenant_id", texts: ["group_id", "name"] },
  { table: "members", id: "user_id", scope: "tenant_id", texts: ["username", "name", "phone", "user_id"] },
  { table: "tenants", id: "tenant_id", scope: null, texts: ["tenant_id", "name"] },
  {
    table: "visitors",
    id: "visitor_id",
    scope: "app_id",
    texts: ["visitor_id", "third_user_id", "nickname", "phone", "email"],
  },
];

/** Adds the full-text index for keywords, maintained by the database itself, and missing indexes of other queries. */
export async function up(db: Kysely<Schema>, dialect: Dialect): Promise<void> {
  if (dialect === "sqlite") await indexOnSqlite(db);
  else await indexOnPostgres(db);
  await addMissing(db);
}

/** Adds missing indexes for queries on growing tables. */
async function addMissing({ schema }: Kysely<Schema>): Promise<void> {
  const index = (name: string, table: string, columns: string[]) =>
    schema.createIndex(name).ifNotExists().on(table).columns(columns);
  // The columns in the order of the list.
  await schema.dropIndex("apps_tenant").ifExists().execute();
  await index("apps_listed", "apps", ["created_at desc", "app_id"]).execute();
  await index("apps_tenant", "apps", ["tenant_id", "created_at desc", "app_id"]).execute();
  await index("groups_tenant", "groups", ["tenant_id", "group_id"]).execute();
  await index("app_reviews_state", "app_reviews", ["state", "review_id"]).execute();

  // Few visitors are disabled, and they are searched for among all.
  await index("visitors_disabled", "visitors", ["app_id", "created_at", "visitor_id"])
    .where(sql.ref("status"), "=", 0)
    .execute();

  await index("apps_owner", "apps", ["owner_id"]).execute();
  await index("developers_number", "developers", ["phone", "channel_id"]).execute();
  await index("redelivery_jobs_under_way", "redelivery_jobs", ["app_id"])
    .where(sql.ref("state"), "=", "RUNNING")
    .execute();
  // For the sweep.
  await index("redelivery_jobs_age", "redelivery_jobs", ["created_at"]).execute();
  await index("quota_days_day", "quota_days", ["day"]).execute();
}

/**
 * Creates one full-text index for all tables, of the grams made by `search_grams`
 * (platform/storage/search/search-grams.ts). `search_rows` gives each row a stable number. Can be run again: earlier
 * versions did not roll back a migration when a start was interrupted.
 */
async function indexOnSqlite(db: Kysely<Schema>): Promise<void> {
  await sql`drop table if exists search_index`.execute(db);
  await sql`drop table if exists search_rows`.execute(db);
  await sql`create table search_rows (search_id integer primary key, kind text not null, entity_id text not null,
    unique (kind, entity_id))`.execute(db);
  // A search term begins with the six characters of the scope, followed by one or more of the keyword.
  await sql`create virtual table search_index using fts5(grams, content = '', contentless_delete = 1, detail = none,
    prefix = 7, tokenize = 'ascii')`.execute(db);
  for (const { table, id, scope, texts } of SEARCHED) {
    const on = (row: string) => (column: string) => `${row}.${column}`;
    const grams = (row: string) =>
      `search_grams('${table}:'${scope === null ? "" : ` || ${row}.${scope}`}, ${texts.map(on(row)).join(", ")})`;
    const number = (row: string) =>
      `(select search_id from search_rows where kind = '${table}' and entity_id = ${row}.${id})`;
    const run = (statement: string) => sql.raw(statement).execute(db);
    for (const change of ["insert", "update", "delete"]) await run(`drop trigger if exists ${table}_search_${change}`);
    await run(`create trigger ${table}_search_insert after insert on ${table} begin
      insert into search_rows (kind, entity_id) values ('${table}', new.${id});
      insert into search_index (rowid, grams) values (${number("new")}, ${grams("new")});
    end`);
    const watched = scope === null ? texts : [...texts, scope];
    await run(`create trigger ${table}_search_update after update of ${watched.join(", ")} on ${table}
    when ${watched.map((column) => `old.${column} is not new.${column}`).join(" or ")} begin
      update search_index set grams = ${grams("new")} where rowid = ${number("new")};
    end`);
    await run(`create trigger ${table}_search_delete after delete on ${table} begin
      delete from search_index where rowid = ${number("old")};
      delete from search_rows where kind = '${table}' and entity_id = old.${id};
    end`);
    await run(`insert into search_rows (kind, entity_id) select '${table}', ${id} from ${table} order by rowid`);
    await run(`insert into search_index (rowid, grams) select search_id, ${grams(table)}
      from search_rows cross join ${table} on ${table}.${id} = entity_id where kind = '${table}' order by search_id`);
  }
}

/** Stores the same grams as lexemes, in an index over an expression. Needs no extension and depends on no locale. */
async function indexOnPostgres(db: Kysely<Schema>): Promise<void> {
  // PL/pgSQL, because it runs for each written row: six times as fast as a single SQL query.
  await sql`create function search_grams(scope text, variadic texts text[]) returns tsvector
    language plpgsql immutable parallel safe as $$
    declare
      key text := substr(encode(sha256(convert_to(scope, 'UTF8')), 'hex'), 1, 6);
      part text;
      signs text[];
      grams text[] := '{}';
    begin
      foreach part in array texts loop
        continue when part is null or part = '';
        signs := string_to_array(lower(part collate "C") || ${sql.lit("\uE01F\uE01F")}, null);
        for i in 1 .. cardinality(signs) - 2 loop
          grams := grams || (key || signs[i] || signs[i + 1] || signs[i + 2]);
        end loop;
      end loop;
      return array_to_tsvector(grams);
    end $$`.execute(db);
  for (const { table, scope, texts } of SEARCHED) {
    const scopeName = scope === null ? `'${table}:'` : `'${table}:' || ${scope}`;
    await sql
      .raw(`create index ${table}_search on ${table} using gin (search_grams(${scopeName}, ${texts.join(", ")}))`)
      .execute(db);
  }
}
