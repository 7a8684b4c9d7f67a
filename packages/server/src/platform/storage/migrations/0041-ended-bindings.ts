import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";

/** Adds the connection that a conversation's events avoid, because it has left one unanswered. */
export async function up(db: Kysely<Schema>): Promise<void> {
  await db.schema.alterTable("socket_conversations").addColumn("avoid", "text").execute();
}
