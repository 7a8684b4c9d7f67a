import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";

/** Adds the table that reserves pages of an embedded database for the time when its disk is full. */
export async function up(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable("spare_pages")
    .addColumn("piece", "integer", (column) => column.primaryKey())
    .addColumn("content", "text", (column) => column.notNull())
    .execute();
}
