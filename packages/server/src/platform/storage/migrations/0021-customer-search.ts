import { type Kysely, sql } from "kysely";
import type { Dialect, Schema } from "../schema.ts";
import { required } from "./tables.ts";

/** The first characters of a text that are indexed; as in domain/customer-service/message-search.ts. */
const INDEXED = 500;

/** Adds the full-text index of customer-service messages, of the grams of migration 0008, and indexes what is there. */
export async function up(db: Kysely<Schema>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable("customer_texts")
    .addColumn("message_id", dialect === "sqlite" ? "integer" : "bigint", (c) => c.primaryKey())
    .addColumn("app_id", "text", required)
    .addColumn("said", "text", required)
    .execute();
  // For a keyword that is found so often that its newest messages are soon met.
  await db.schema.createIndex("customer_texts_app").on("customer_texts").columns(["app_id", "message_id"]).execute();
  await (dialect === "sqlite" ? indexOnSqlite(db) : indexOnPostgres(db));
}

async function indexOnSqlite(db: Kysely<Schema>): Promise<void> {
  // Its own index, because messages outnumber everything else that is searched.
  await sql`create virtual table customer_search_index using fts5(grams, content = '', contentless_delete = 1,
    detail = none, prefix = 7, tokenize = 'ascii')`.execute(db);
  await sql`create trigger customer_texts_search_insert after insert on customer_texts begin
    insert into customer_search_index (rowid, grams)
    values (new.message_id, search_grams('customer_texts:' || new.app_id, new.said));
  end`.execute(db);
  await sql`create trigger customer_texts_search_delete after delete on customer_texts begin
    delete from customer_search_index where rowid = old.message_id;
  end`.execute(db);
  const said = sql`case msg_type when 'text' then json_extract(content, '$') else json_extract(content, '$.fileName') end`;
  await sql`insert into customer_texts (message_id, app_id, said)
    select message_id, app_id, substr(${said}, 1, ${sql.lit(INDEXED)}) from customer_messages
    where json_valid(content) and coalesce(${said}, '') <> '' and instr(content, ${sql.lit("\\u0000")}) = 0`.execute(
    db,
  );
}

async function indexOnPostgres(db: Kysely<Schema>): Promise<void> {
  const said = sql`case msg_type when 'text' then content::json #>> '{}' else content::json ->> 'fileName' end`;
  // Before the conversion: PostgreSQL's texts cannot contain what these escapes stand for.
  await sql`insert into customer_texts (message_id, app_id, said)
    select message_id, app_id, left(said, ${sql.lit(INDEXED)}) from (
      select message_id, app_id, ${said} as said from customer_messages where strpos(content, ${sql.lit("\\u")}) = 0 offset 0
    ) as texts where coalesce(said, '') <> ''`.execute(db);
  await sql`create index customer_texts_search on customer_texts
    using gin (search_grams('customer_texts:' || app_id, said))`.execute(db);
}
