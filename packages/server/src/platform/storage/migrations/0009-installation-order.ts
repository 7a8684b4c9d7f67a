import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";

/** Lists installations in an order in which none moves: that of their first installation. */
export async function up(db: Kysely<Schema>): Promise<void> {
  const { schema } = db;
  await schema
    .alterTable("installations")
    .addColumn("first_installed_at", "bigint", (c) => c.notNull().defaultTo(0))
    .execute();
  await db
    .updateTable("installations")
    .set((eb) => ({ first_installed_at: eb.ref("installed_at") }))
    .execute();
  await schema.dropIndex("installations_listed").execute();
  // With all that is filtered by, so that what a filter leaves out is not read.
  const listed = ["app_id", "first_installed_at", "target_id", "target_type", "status"];
  await schema.createIndex("installations_in_order").on("installations").columns(listed).execute();
}
