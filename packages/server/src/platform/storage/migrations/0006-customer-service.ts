import { type Kysely, sql } from "kysely";
import type { Dialect, Schema } from "../schema.ts";
import { keyedOn, required } from "./tables.ts";

/** Adds customer service (all columns of visitors, tokens, sessions, messages, agents) and mini-programs. */
export async function up(db: Kysely<Schema>, dialect: Dialect): Promise<void> {
  const { schema } = db;
  const table = (name: string) => schema.createTable(name);
  const growing = dialect === "sqlite" ? "integer" : "bigserial";
  const keyed = keyedOn(dialect);

  for (const name of ["avatar", "phone", "email"]) {
    await schema
      .alterTable("visitors")
      .addColumn(name, "text", (c) => c.notNull().defaultTo(""))
      .execute();
  }
  await schema.alterTable("visitors").addColumn("extra", "text").execute();
  for (const name of ["created_at", "last_seen_at", "heartbeat_at"]) {
    await schema
      .alterTable("visitors")
      .addColumn(name, "bigint", (c) => c.notNull().defaultTo(0))
      .execute();
  }
  await schema.createIndex("visitors_created").on("visitors").columns(["app_id", "created_at", "visitor_id"]).execute();
  await keyed(
    table("visitor_tokens")
      .addColumn("token_hash", "text", (c) => c.primaryKey())
      .addColumn("visitor_id", "text", (c) => c.notNull().references("visitors.visitor_id"))
      .addColumn("expires_at", "bigint", required),
  ).execute();
  await schema.createIndex("visitor_tokens_visitor").on("visitor_tokens").column("visitor_id").execute();
  await schema.createIndex("visitor_tokens_expiry").on("visitor_tokens").column("expires_at").execute();

  await schema.createIndex("app_agents_user").on("app_agents").columns(["user_id", "app_id"]).execute();
  // One row per application: a transaction that assigns its sessions locks it.
  await keyed(
    table("desks").addColumn("app_id", "text", ofApp).addPrimaryKeyConstraint("desks_pk", ["app_id"]),
  ).execute();
  await keyed(
    table("desk_agents")
      .addColumn("app_id", "text", ofApp)
      .addColumn("user_id", "text", (c) => c.notNull().references("members.user_id"))
      .addColumn("status", "text", required)
      .addColumn("heartbeat_at", "bigint", required)
      .addColumn("present", "integer", required)
      .addColumn("max_sessions", "integer")
      .addPrimaryKeyConstraint("desk_agents_pk", ["app_id", "user_id"]),
  ).execute();
  await schema
    .createIndex("desk_agents_present")
    .on("desk_agents")
    .column("heartbeat_at")
    .where(sql.ref("present"), "=", 1)
    .execute();

  await table("customer_sessions")
    .addColumn("session_id", growing, (c) => c.primaryKey())
    .addColumn("app_id", "text", ofApp)
    .addColumn("visitor_id", "text", (c) => c.notNull().references("visitors.visitor_id"))
    .addColumn("status", "text", required)
    .addColumn("agent_id", "text")
    .addColumn("source", "text", required)
    .addColumn("subject", "text", required)
    .addColumn("queued_at", "bigint", required)
    .addColumn("created_at", "bigint", required)
    .addColumn("assigned_at", "bigint")
    .addColumn("first_reply_at", "bigint")
    .addColumn("closed_at", "bigint")
    .addColumn("closed_by", "text")
    .addColumn("close_reason", "text")
    .addColumn("rating", "integer")
    .addColumn("rating_comment", "text")
    .addColumn("first_seq", "bigint")
    .addColumn("last_seq", "bigint")
    .addColumn("version", "integer", required)
    .execute();
  // At most one open session per visitor, even when two are opened at once.
  await schema
    .createIndex("customer_sessions_open")
    .unique()
    .on("customer_sessions")
    .column("visitor_id")
    .where(sql.ref("status"), "<>", "CLOSED")
    .execute();
  await schema
    .createIndex("customer_sessions_queue")
    .on("customer_sessions")
    .columns(["app_id", "queued_at", "session_id"])
    .where(sql.ref("status"), "=", "QUEUED")
    .execute();
  await schema
    .createIndex("customer_sessions_agent")
    .on("customer_sessions")
    .columns(["app_id", "agent_id"])
    .where(sql.ref("status"), "=", "ACTIVE")
    .execute();
  await schema
    .createIndex("customer_sessions_app")
    .on("customer_sessions")
    .columns(["app_id", "status", "session_id"])
    .execute();
  await schema
    .createIndex("customer_sessions_visitor")
    .on("customer_sessions")
    .columns(["visitor_id", "session_id"])
    .execute();

  await table("customer_messages")
    .addColumn("message_id", growing, (c) => c.primaryKey())
    .addColumn("app_id", "text", required)
    .addColumn("visitor_id", "text", required)
    .addColumn("session_id", "bigint", required)
    .addColumn("seq", "bigint", required)
    .addColumn("sender_type", "text", required)
    .addColumn("agent_id", "text")
    .addColumn("third_msg_id", "text")
    .addColumn("msg_type", "text", required)
    .addColumn("content", "text", required)
    .addColumn("created_at", "bigint", required)
    .execute();
  await schema
    .createIndex("customer_messages_seq")
    .unique()
    .on("customer_messages")
    .columns(["visitor_id", "seq"])
    .execute();
  await schema
    .createIndex("customer_messages_third")
    .unique()
    .on("customer_messages")
    .columns(["app_id", "sender_type", "third_msg_id"])
    .where(sql.ref("third_msg_id"), "is not", null)
    .execute();
  await keyed(
    table("customer_reads")
      .addColumn("visitor_id", "text", (c) => c.notNull().references("visitors.visitor_id"))
      .addColumn("reader", "text", required)
      .addColumn("seq", "bigint", required)
      .addPrimaryKeyConstraint("customer_reads_pk", ["visitor_id", "reader"]),
  ).execute();

  await keyed(
    table("miniapp_codes")
      .addColumn("code_hash", "text", (c) => c.primaryKey())
      .addColumn("app_id", "text", ofApp)
      .addColumn("user_id", "text", (c) => c.notNull().references("members.user_id"))
      .addColumn("expires_at", "bigint", required),
  ).execute();
  await schema.createIndex("miniapp_codes_expiry").on("miniapp_codes").column("expires_at").execute();
  await schema
    .createIndex("miniapp_codes_member")
    .on("miniapp_codes")
    .columns(["user_id", "app_id", "expires_at"])
    .execute();
  await keyed(
    table("miniapp_open_ids")
      .addColumn("app_id", "text", ofApp)
      .addColumn("user_id", "text", (c) => c.notNull().references("members.user_id"))
      .addColumn("open_id", "text", (c) => c.notNull().unique())
      .addPrimaryKeyConstraint("miniapp_open_ids_pk", ["app_id", "user_id"]),
  ).execute();
  await keyed(
    table("miniapp_union_ids")
      .addColumn("owner_id", "text", required)
      .addColumn("user_id", "text", (c) => c.notNull().references("members.user_id"))
      .addColumn("union_id", "text", (c) => c.notNull().unique())
      .addPrimaryKeyConstraint("miniapp_union_ids_pk", ["owner_id", "user_id"]),
  ).execute();

  // The sites on which the widget is allowed.
  await keyed(
    table("app_origins")
      .addColumn("origin", "text", required)
      .addColumn("app_id", "text", ofApp)
      .addPrimaryKeyConstraint("app_origins_pk", ["origin", "app_id"]),
  ).execute();
  await schema.createIndex("app_origins_app").on("app_origins").column("app_id").execute();
}
const ofApp = (column: import("kysely").ColumnDefinitionBuilder) => column.notNull().references("apps.app_id");
