import { type Kysely, sql } from "kysely";
import type { Dialect, Schema } from "../schema.ts";
import { keyedOn, required } from "./tables.ts";

/** Adds webhook subscriptions, deliveries with their attempts, and redelivery jobs. */
export async function up(db: Kysely<Schema>, dialect: Dialect): Promise<void> {
  const { schema } = db;
  const table = (name: string) => schema.createTable(name);
  const keyed = keyedOn(dialect);

  await keyed(
    table("subscriptions")
      .addColumn("app_id", "text", ofApp)
      .addColumn("event_type", "text", required)
      .addColumn("callback_url", "text", required)
      .addColumn("status", "text", required)
      .addColumn("secret_box", "text", required)
      .addColumn("failure_count", "integer", required)
      .addColumn("updated_at", "bigint", required)
      .addPrimaryKeyConstraint("subscriptions_pk", ["app_id", "event_type"]),
  ).execute();

  await table("deliveries")
    .addColumn("delivery_id", dialect === "sqlite" ? "integer" : "bigserial", (c) => c.primaryKey())
    .addColumn("event_id", "text", (c) => c.notNull().unique())
    .addColumn("app_id", "text", ofApp)
    .addColumn("event_type", "text", required)
    .addColumn("body", "text", required)
    .addColumn("status", "text", required)
    .addColumn("created_at", "bigint", required)
    .addColumn("due_at", "bigint")
    .addColumn("claim", "integer", required)
    .addColumn("claimed", "integer", required)
    .addColumn("attempt_count", "integer", required)
    .addColumn("retry_count", "integer", required)
    .addColumn("last_status", "integer")
    .addColumn("last_reason", "text")
    .execute();
  // Pending deliveries by application, so that a long queue of one does not hide the others.
  await schema
    .createIndex("deliveries_due")
    .on("deliveries")
    .columns(["app_id", "due_at", "delivery_id"])
    .where(sql.ref("due_at"), "is not", null)
    .execute();
  await schema.createIndex("deliveries_app").on("deliveries").columns(["app_id", "delivery_id"]).execute();
  await schema.createIndex("deliveries_age").on("deliveries").column("created_at").execute();

  await keyed(
    table("delivery_attempts")
      .addColumn("delivery_id", "bigint", (c) => c.notNull().references("deliveries.delivery_id").onDelete("cascade"))
      .addColumn("attempt", "integer", required)
      .addColumn("at", "bigint", required)
      .addColumn("address", "text")
      .addColumn("status", "integer")
      .addColumn("reason", "text")
      .addColumn("detail", "text")
      .addColumn("duration_ms", "integer", required)
      .addColumn("phases", "text", required)
      .addColumn("answer", "text", required)
      .addColumn("next_attempt_at", "bigint")
      .addPrimaryKeyConstraint("delivery_attempts_pk", ["delivery_id", "attempt"]),
  ).execute();

  await table("redelivery_jobs")
    .addColumn("job_id", "text", (c) => c.primaryKey())
    .addColumn("app_id", "text", ofApp)
    .addColumn("selection", "text", required)
    .addColumn("state", "text", required)
    .addColumn("position", "bigint", required)
    .addColumn("upper", "bigint", required)
    .addColumn("redelivered", "bigint", required)
    .addColumn("skipped", "bigint", required)
    .addColumn("created_at", "bigint", required)
    .addColumn("lease_until", "bigint", required)
    .execute();
  await schema.createIndex("redelivery_jobs_app").on("redelivery_jobs").columns(["app_id", "created_at"]).execute();
}
const ofApp = (column: import("kysely").ColumnDefinitionBuilder) => column.notNull().references("apps.app_id");
