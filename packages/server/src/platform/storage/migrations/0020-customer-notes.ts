import { type Kysely, sql } from "kysely";
import type { Dialect, Schema } from "../schema.ts";
import { required } from "./tables.ts";

/** Adds what agents write about visitors for one another. */
export async function up({ schema }: Kysely<Schema>, dialect: Dialect): Promise<void> {
  await schema
    .createTable("customer_notes")
    .addColumn("note_id", dialect === "sqlite" ? "integer" : "bigserial", (c) => c.primaryKey())
    .addColumn("app_id", "text", required)
    .addColumn("visitor_id", "text", required)
    .addColumn("session_id", "bigint", required)
    .addColumn("agent_user_id", "text", required)
    .addColumn("client_note_id", "text")
    .addColumn("text", "text", required)
    .addColumn("created_at", "bigint", required)
    .execute();
  await schema.createIndex("customer_notes_visitor").on("customer_notes").columns(["visitor_id", "note_id"]).execute();
  await schema
    .createIndex("customer_notes_client")
    .unique()
    .on("customer_notes")
    .columns(["app_id", "agent_user_id", "client_note_id"])
    .where(sql.ref("client_note_id"), "is not", null)
    .execute();
}
