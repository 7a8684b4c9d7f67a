import type { Kysely } from "kysely";
import type { Dialect, Schema } from "../schema.ts";
import { keyedOn, required } from "./tables.ts";

/**
 * Adds the settings of applications' widgets, and the keys by which visitors without a name come back. Without references
 * to applications and visitors, whose tables PostgreSQL would lock against writes until all migrations have ended.
 */
export async function up(db: Kysely<Schema>, dialect: Dialect): Promise<void> {
  const keyed = keyedOn(dialect);
  await keyed(
    db.schema
      .createTable("app_widgets")
      .addColumn("app_id", "text", (c) => c.primaryKey())
      .addColumn("anonymous_visitors", "integer", required)
      .addColumn("settings", "text", required),
  ).execute();
  await keyed(
    db.schema
      .createTable("visitor_keys")
      .addColumn("key_hash", "text", (c) => c.primaryKey())
      .addColumn("visitor_id", "text", required)
      .addColumn("used_at", "bigint", required),
  ).execute();
  await db.schema.createIndex("visitor_keys_visitor").unique().on("visitor_keys").column("visitor_id").execute();
  await db.schema.createIndex("visitor_keys_used").on("visitor_keys").column("used_at").execute();
}
