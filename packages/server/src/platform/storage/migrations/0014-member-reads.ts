import { type CreateTableBuilder, type Kysely, sql } from "kysely";
import type { Dialect, Schema } from "../schema.ts";

/** Adds how far each member has read each of their conversations. */
export async function up(db: Kysely<Schema>, dialect: Dialect): Promise<void> {
  const keyed = <T extends string>(builder: CreateTableBuilder<T, string>) =>
    dialect === "sqlite" ? builder.modifyEnd(sql`without rowid`) : builder;
  await keyed(
    db.schema
      .createTable("member_reads")
      .addColumn("user_id", "text", (c) => c.notNull().references("members.user_id"))
      .addColumn("conversation_key", "text", (c) => c.notNull())
      .addColumn("seq", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("member_reads_pk", ["user_id", "conversation_key"]),
  ).execute();
}
