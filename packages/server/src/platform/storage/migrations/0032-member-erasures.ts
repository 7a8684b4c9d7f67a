import { type Kysely, sql } from "kysely";
import type { Schema } from "../schema.ts";
import { required } from "./tables.ts";

/** Adds the erasures of members: who has been erased, and how far the removal of what they have left has come. */
export async function up({ schema }: Kysely<Schema>): Promise<void> {
  await schema
    .createTable("member_erasures")
    .addColumn("user_id", "text", (c) => c.primaryKey().notNull().references("members.user_id"))
    .addColumn("tenant_id", "text", (c) => c.notNull().references("tenants.tenant_id"))
    .addColumn("step", "text", required)
    .addColumn("position", "text", required)
    .addColumn("searched", "text")
    .addColumn("report", "text", required)
    .addColumn("erased_by", "bigint", required)
    .addColumn("after_transaction", "text")
    .addColumn("started_at", "bigint", required)
    .addColumn("finished_at", "bigint")
    .addColumn("lease_until", "bigint", required)
    .execute();
  await schema
    .createIndex("member_erasures_running")
    .on("member_erasures")
    .column("lease_until")
    .where(sql.ref("finished_at"), "is", null)
    .execute();
}
