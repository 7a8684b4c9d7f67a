import { type Kysely, sql } from "kysely";
import type { Dialect, Schema } from "../schema.ts";
import { required } from "./tables.ts";

/**
 * Adds the full-text index of customer-service messages, of the grams of migration 0008. It is empty: a sweep indexes the
 * messages that are there, and those that an earlier version still writes.
 */
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
}

async function indexOnPostgres(db: Kysely<Schema>): Promise<void> {
  await sql`create index customer_texts_search on customer_texts
    using gin (search_grams('customer_texts:' || app_id, said))`.execute(db);
}
