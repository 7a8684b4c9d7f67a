import { type Kysely, sql } from "kysely";
import type { Schema } from "../schema.ts";

/** Adds when a session first had an agent, and the indexes of the figures about sessions. */
export async function up({ schema }: Kysely<Schema>): Promise<void> {
  await schema
    .createIndex("customer_sessions_opened")
    .on("customer_sessions")
    .columns(["app_id", "created_at"])
    .execute();
  await schema
    .createIndex("customer_sessions_closed")
    .on("customer_sessions")
    .columns(["app_id", "closed_at", "session_id"])
    .where(sql.ref("status"), "=", "CLOSED")
    .execute();
  // Last, because on PostgreSQL nobody can read the table from here until the transaction ends.
  await schema.alterTable("customer_sessions").addColumn("first_assigned_at", "bigint").execute();
}
