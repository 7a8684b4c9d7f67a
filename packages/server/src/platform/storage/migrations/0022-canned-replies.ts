import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";
import { required } from "./tables.ts";

/** Adds the texts that an application's agents insert by a shortcut; without a reference, for the reason of 0019. */
export async function up({ schema }: Kysely<Schema>): Promise<void> {
  await schema
    .createTable("canned_replies")
    .addColumn("reply_id", "text", (c) => c.primaryKey())
    .addColumn("app_id", "text", required)
    .addColumn("shortcut", "text", required)
    .addColumn("shortcut_key", "text", required)
    .addColumn("text", "text", required)
    .addColumn("member_id", "text")
    .addColumn("developer_id", "text")
    .addColumn("updated_at", "bigint", required)
    .execute();
  await schema
    .createIndex("canned_replies_shortcut")
    .unique()
    .on("canned_replies")
    .columns(["app_id", "shortcut_key"])
    .execute();
}
