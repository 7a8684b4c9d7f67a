import { type Kysely, sql } from "kysely";
import type { Dialect, Schema } from "../schema.ts";
import { keyedOn, required } from "./tables.ts";

/**
 * Adds the application's life cycle in the console: reviews, template versions, the audit log, sign-in by QR code,
 * statistics.
 */
export async function up(db: Kysely<Schema>, dialect: Dialect): Promise<void> {
  const { schema } = db;
  const table = (name: string) => schema.createTable(name);
  const growing = dialect === "sqlite" ? "integer" : "bigserial";
  const keyed = keyedOn(dialect);

  await table("audit_entries")
    .addColumn("audit_id", growing, (c) => c.primaryKey())
    .addColumn("at", "bigint", required)
    .addColumn("actor_type", "text", required)
    .addColumn("actor_id", "text", required)
    .addColumn("action", "text", required)
    .addColumn("tenant_id", "text")
    .addColumn("app_id", "text")
    .addColumn("target", "text", required)
    .addColumn("before", "text")
    .addColumn("after", "text")
    .addColumn("address", "text", required)
    .execute();
  // Entries are listed by time, all of them or those with one value of a column.
  for (const column of ["app_id", "tenant_id", "actor_id", "action"]) {
    await schema
      .createIndex(`audit_entries_${column}`)
      .on("audit_entries")
      .columns([column, "at", "audit_id"])
      .execute();
  }
  await schema.createIndex("audit_entries_at").on("audit_entries").columns(["at", "audit_id"]).execute();

  await table("app_reviews")
    .addColumn("review_id", growing, (c) => c.primaryKey())
    .addColumn("app_id", "text", (c) => c.notNull().references("apps.app_id"))
    .addColumn("state", "text", required)
    .addColumn("note", "text", required)
    .addColumn("scopes", "text", required)
    .addColumn("submitted_by", "text", required)
    .addColumn("submitted_at", "bigint", required)
    .addColumn("reviewed_by", "text")
    .addColumn("reviewed_at", "bigint")
    .addColumn("comment", "text")
    .execute();
  await schema.createIndex("app_reviews_app").on("app_reviews").columns(["app_id", "review_id"]).execute();
  // At most one pending review per application, even when two are submitted at once.
  await schema
    .createIndex("app_reviews_pending")
    .unique()
    .on("app_reviews")
    .column("app_id")
    .where(sql.ref("state"), "=", "PENDING")
    .execute();

  await keyed(
    table("card_template_versions")
      .addColumn("card_id", "text", (c) => c.notNull().references("card_templates.card_id").onDelete("cascade"))
      .addColumn("version", "integer", required)
      .addColumn("name", "text", required)
      .addColumn("card", "text", required)
      .addColumn("saved_by", "text")
      .addColumn("saved_at", "bigint")
      .addPrimaryKeyConstraint("card_template_versions_pk", ["card_id", "version"]),
  ).execute();
  await schema.createIndex("card_templates_app").on("card_templates").columns(["app_id", "card_id"]).execute();

  await keyed(
    table("console_qr_logins")
      .addColumn("token_hash", "text", (c) => c.primaryKey())
      .addColumn("state", "text", required)
      .addColumn("user_id", "text")
      .addColumn("developer_id", "text")
      .addColumn("address", "text", required)
      .addColumn("user_agent", "text", required)
      .addColumn("expires_at", "bigint", required),
  ).execute();
  await schema.createIndex("console_qr_logins_expiry").on("console_qr_logins").column("expires_at").execute();

  for (const [name, type] of [
    ["session_id", "text"],
    ["address", "text"],
    ["user_agent", "text"],
    ["last_used_at", "bigint"],
  ] as const) {
    await schema.alterTable("console_logins").addColumn(name, type).execute();
  }
  await schema.createIndex("console_logins_session").unique().on("console_logins").column("session_id").execute();

  await keyed(
    table("call_counts")
      .addColumn("app_id", "text", (c) => c.notNull().references("apps.app_id"))
      .addColumn("minute", "bigint", required)
      .addColumn("calls", "bigint", required)
      .addColumn("errors", "bigint", required)
      .addPrimaryKeyConstraint("call_counts_pk", ["app_id", "minute"]),
  ).execute();
  await schema.createIndex("call_counts_minute").on("call_counts").column("minute").execute();
  await schema.createIndex("requests_app").on("requests").columns(["app_id", "req_no"]).execute();

  await schema
    .alterTable("apps")
    .addColumn("description", "text", (c) => c.notNull().defaultTo(""))
    .execute();
  await schema.createIndex("apps_tenant").on("apps").columns(["tenant_id", "created_at"]).execute();
  // The columns in the order of the list.
  const listed = ["app_id", "installed_at", "target_id", "target_type"];
  await schema.createIndex("installations_listed").on("installations").columns(listed).execute();
  await schema.alterTable("credentials").addColumn("last_used_at", "bigint").execute();
  for (const name of ["developers", "members"]) {
    await schema
      .alterTable(name)
      .addColumn("disabled", "integer", (c) => c.notNull().defaultTo(0))
      .execute();
  }
  await schema.createIndex("member_tokens_user").on("member_tokens").column("user_id").execute();
  await schema.createIndex("members_phone").on("members").column("phone").execute();
  await schema.createIndex("developer_tenants_tenant").on("developer_tenants").column("tenant_id").execute();
}
