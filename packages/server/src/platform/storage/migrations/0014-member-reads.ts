import type { Kysely } from "kysely";
import type { Dialect, Schema } from "../schema.ts";
import { keyedOn } from "./tables.ts";

/** Adds how far each member has read each of their conversations. */
export async function up(db: Kysely<Schema>, dialect: Dialect): Promise<void> {
  const keyed = keyedOn(dialect);
  await keyed(
    db.schema
      .createTable("member_reads")
      .addColumn("user_id", "text", (c) => c.notNull().references("members.user_id"))
      .addColumn("conversation_key", "text", (c) => c.notNull())
      .addColumn("seq", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("member_reads_pk", ["user_id", "conversation_key"]),
  ).execute();
}
