import { type AlterColumnBuilder, type Kysely, sql } from "kysely";
import type { Dialect, Schema } from "../schema.ts";
import { keyedOn, required } from "./tables.ts";

/** Adds files, changes of messages, their recipients, and card actions. */
export async function up(db: Kysely<Schema>, dialect: Dialect): Promise<void> {
  const { schema } = db;
  const table = (name: string) => schema.createTable(name);
  const keyed = keyedOn(dialect);

  // SQLite's integers have 64 bits already.
  if (dialect === "postgres") {
    const wide = (c: AlterColumnBuilder) => c.setDataType("bigint");
    await schema.alterTable("messages").alterColumn("card_version", wide).execute();
    await schema.alterTable("card_templates").alterColumn("version", wide).execute();
  }

  await table("files")
    .addColumn("file_key", "text", (c) => c.primaryKey())
    .addColumn("blob_key", "text", (c) => c.notNull().unique())
    .addColumn("owner_type", "text", required)
    .addColumn("owner_id", "text", required)
    .addColumn("state", "text", required)
    .addColumn("file_name", "text", required)
    .addColumn("mime_type", "text", required)
    .addColumn("size", "bigint", required)
    .addColumn("sha256", "text", required)
    .addColumn("created_at", "bigint", required)
    .addColumn("expires_at", "bigint", required)
    .addColumn("sent_at", "bigint")
    .execute();
  // Partial indexes: only files that can expire, as most files have been sent and stay. One is for the sweep, one for
  // counting an owner's files.
  const index = (name: string, columns: string[]) =>
    schema.createIndex(name).on("files").columns(columns).where(sql.ref("sent_at"), "is", null).execute();
  await index("files_unsent", ["state", "expires_at", "file_key"]);
  await index("files_unsent_of_owner", ["owner_type", "owner_id", "expires_at"]);

  await keyed(
    table("conversation_changes")
      .addColumn("conversation_key", "text", required)
      .addColumn("msg_seq", "bigint", required)
      .addColumn("type", "text", required)
      .addColumn("message_id", "bigint", ofMessage)
      .addPrimaryKeyConstraint("conversation_changes_pk", ["conversation_key", "msg_seq"]),
  ).execute();

  await keyed(
    table("message_recipients")
      .addColumn("message_id", "bigint", ofMessage)
      .addColumn("app_id", "text", (c) => c.notNull().references("apps.app_id"))
      .addPrimaryKeyConstraint("message_recipients_pk", ["message_id", "app_id"]),
  ).execute();

  await table("card_actions")
    .addColumn("action_id", "text", (c) => c.primaryKey())
    .addColumn("message_id", "bigint", ofMessage)
    .addColumn("card_version", "bigint", required)
    .addColumn("user_id", "text", (c) => c.notNull().references("members.user_id"))
    .addColumn("action", "text", required)
    .addColumn("created_at", "bigint", required)
    .execute();
  await schema.createIndex("card_actions_age").on("card_actions").column("created_at").execute();
}
const ofMessage = (column: import("kysely").ColumnDefinitionBuilder) =>
  column.notNull().references("messages.message_id");
