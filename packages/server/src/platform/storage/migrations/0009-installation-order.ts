import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";

/** Adds a stable order for listing installations: the time of the first installation, which never changes. */
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
  // Covers every filter column, so that rows excluded by a filter are not read.
  const listed = ["app_id", "first_installed_at", "target_id", "target_type", "status"];
  await schema.createIndex("installations_in_order").on("installations").columns(listed).execute();
}
