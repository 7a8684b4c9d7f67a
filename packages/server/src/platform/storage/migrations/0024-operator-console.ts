import type { Kysely } from "kysely";
import type { Dialect, Schema } from "../schema.ts";
import { keyedOn, required } from "./tables.ts";

/**
 * Adds what of an application was approved, so that a reviewer sees what has changed since; the audit log by what was
 * changed; and the processes of the service.
 */
export async function up(db: Kysely<Schema>, dialect: Dialect): Promise<void> {
  const { schema } = db;
  const keyed = keyedOn(dialect);
  await schema.alterTable("app_reviews").addColumn("approved", "text").execute();
  await schema.createIndex("audit_entries_target").on("audit_entries").columns(["target", "at", "audit_id"]).execute();
  await keyed(
    schema
      .createTable("processes")
      .addColumn("process_id", "text", (c) => c.primaryKey().notNull())
      .addColumn("host", "text", required)
      .addColumn("pid", "bigint", required)
      .addColumn("version", "text", required)
      .addColumn("started_at", "bigint", required)
      .addColumn("seen_at", "bigint", required)
      .addColumn("report", "text", required),
  ).execute();
  await schema.createIndex("processes_seen_at").on("processes").column("seen_at").execute();
}
