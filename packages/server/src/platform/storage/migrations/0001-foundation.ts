import { type Kysely, sql } from "kysely";
import type { Dialect, Schema } from "../schema.ts";
import { keyedOn, required } from "./tables.ts";

const NONCE_PARTITIONS = 6;

/**
 * Creates the first tables. `dialect` decides only how row ids are generated and how tables looked up by key alone are
 * stored.
 */
export async function up(db: Kysely<Schema>, dialect: Dialect): Promise<void> {
  const { schema } = db;
  const table = (name: string) => schema.createTable(name);
  /**
   * Creates a table that is looked up by its primary key alone: on SQLite `WITHOUT ROWID`, which saves a second B-tree.
   */
  const keyed = keyedOn(dialect);

  await keyed(
    table("meta")
      .addColumn("name", "text", (c) => c.primaryKey())
      .addColumn("value", "text", required),
  ).execute();

  await table("tenants")
    .addColumn("tenant_id", "text", (c) => c.primaryKey())
    .addColumn("name", "text", required)
    .execute();
  await table("members")
    .addColumn("user_id", "text", (c) => c.primaryKey())
    .addColumn("tenant_id", "text", (c) => c.notNull().references("tenants.tenant_id"))
    .addColumn("username", "text", required)
    .addColumn("name", "text", required)
    .addColumn("password_hash", "text")
    .addColumn("phone", "text")
    .addUniqueConstraint("members_username", ["tenant_id", "username"])
    .execute();
  await keyed(
    table("member_tokens")
      .addColumn("token_hash", "text", (c) => c.primaryKey())
      .addColumn("user_id", "text", (c) => c.notNull().references("members.user_id"))
      .addColumn("expires_at", "bigint", required),
  ).execute();
  await schema.createIndex("member_tokens_expiry").on("member_tokens").column("expires_at").execute();
  await table("groups")
    .addColumn("group_id", "text", (c) => c.primaryKey())
    .addColumn("tenant_id", "text", (c) => c.notNull().references("tenants.tenant_id"))
    .addColumn("name", "text", required)
    .execute();
  await keyed(
    table("group_members")
      .addColumn("group_id", "text", (c) => c.notNull().references("groups.group_id"))
      .addColumn("user_id", "text", (c) => c.notNull().references("members.user_id"))
      .addPrimaryKeyConstraint("group_members_pk", ["group_id", "user_id"]),
  ).execute();
  await schema.createIndex("group_members_user").on("group_members").column("user_id").execute();
  await table("developers")
    .addColumn("developer_id", "text", (c) => c.primaryKey())
    .addColumn("phone", "text", required)
    .addColumn("channel_id", "integer", required)
    .addColumn("name", "text", required)
    .addColumn("password_hash", "text")
    .addColumn("operator", "integer", required)
    .addUniqueConstraint("developers_phone", ["channel_id", "phone"])
    .execute();
  await keyed(
    table("developer_tenants")
      .addColumn("developer_id", "text", (c) => c.notNull().references("developers.developer_id"))
      .addColumn("tenant_id", "text", (c) => c.notNull().references("tenants.tenant_id"))
      .addPrimaryKeyConstraint("developer_tenants_pk", ["developer_id", "tenant_id"]),
  ).execute();

  await table("apps")
    .addColumn("app_id", "text", (c) => c.primaryKey())
    .addColumn("type", "text", required)
    .addColumn("tenant_id", "text", (c) => c.notNull().references("tenants.tenant_id"))
    .addColumn("owner_id", "text", (c) => c.references("developers.developer_id"))
    .addColumn("status", "text", required)
    .addColumn("display_name", "text", required)
    .addColumn("avatar", "text", required)
    .addColumn("per_minute", "bigint")
    .addColumn("per_day", "bigint")
    .addColumn("concurrent", "bigint")
    .addColumn("created_at", "bigint", required)
    .execute();
  await table("credentials")
    .addColumn("credential_id", "text", (c) => c.primaryKey())
    .addColumn("app_id", "text", ofApp)
    .addColumn("secret_box", "text", required)
    .addColumn("created_at", "bigint", required)
    .addColumn("rotated_at", "bigint")
    .execute();
  await schema.createIndex("credentials_app").on("credentials").column("app_id").execute();
  await keyed(
    table("app_scopes")
      .addColumn("app_id", "text", ofApp)
      .addColumn("scope", "text", required)
      .addColumn("state", "text", required)
      .addPrimaryKeyConstraint("app_scopes_pk", ["app_id", "scope"]),
  ).execute();
  await keyed(
    table("app_agents")
      .addColumn("app_id", "text", ofApp)
      .addColumn("user_id", "text", (c) => c.notNull().references("members.user_id"))
      .addPrimaryKeyConstraint("app_agents_pk", ["app_id", "user_id"]),
  ).execute();
  await table("card_templates")
    .addColumn("card_id", "text", (c) => c.primaryKey())
    .addColumn("app_id", "text", ofApp)
    .addColumn("name", "text", required)
    .addColumn("version", "integer", required)
    .addColumn("card", "text", required)
    .execute();
  await table("visitors")
    .addColumn("visitor_id", "text", (c) => c.primaryKey())
    .addColumn("app_id", "text", ofApp)
    .addColumn("third_user_id", "text", required)
    .addColumn("nickname", "text", required)
    .addColumn("status", "integer", required)
    .addUniqueConstraint("visitors_third_user", ["app_id", "third_user_id"])
    .execute();
  await keyed(
    table("installations")
      .addColumn("app_id", "text", ofApp)
      .addColumn("target_type", "text", required)
      .addColumn("target_id", "text", required)
      .addColumn("status", "text", required)
      .addColumn("installed_at", "bigint", required)
      .addPrimaryKeyConstraint("installations_pk", ["app_id", "target_type", "target_id"]),
  ).execute();
  await schema.createIndex("installations_target").on("installations").columns(["target_type", "target_id"]).execute();

  await keyed(
    table("conversations")
      .addColumn("conversation_key", "text", (c) => c.primaryKey())
      .addColumn("last_seq", "bigint", required),
  ).execute();
  await table("messages")
    .addColumn("message_id", dialect === "sqlite" ? "integer" : "bigserial", (c) => c.primaryKey())
    .addColumn("conversation_key", "text", required)
    .addColumn("msg_seq", "bigint", required)
    .addColumn("sender_type", "text", required)
    .addColumn("sender_id", "text", required)
    .addColumn("client_message_id", "text")
    .addColumn("msg_type", "text", required)
    .addColumn("content", "text", required)
    .addColumn("mentions", "text", required)
    .addColumn("card_version", "integer")
    .addColumn("parent_message_id", "bigint")
    .addColumn("recalled_at", "bigint")
    .addColumn("created_at", "bigint", required)
    .execute();
  await schema.createIndex("messages_seq").unique().on("messages").columns(["conversation_key", "msg_seq"]).execute();
  await schema
    .createIndex("messages_client_id")
    .unique()
    .on("messages")
    .columns(["sender_type", "sender_id", "client_message_id"])
    .where(sql.ref("client_message_id"), "is not", null)
    .execute();

  // domain/applications/nonces/nonce-partitions.ts explains why the key differs.
  const nonceKey: ("signed_at" | "app_id" | "nonce")[] =
    dialect === "sqlite" ? ["signed_at", "app_id", "nonce"] : ["app_id", "nonce"];
  for (let partition = 0; partition < NONCE_PARTITIONS; partition++) {
    await keyed(
      table(`nonces_${partition}`)
        .addColumn("app_id", "text", required)
        .addColumn("nonce", "text", required)
        .addColumn("signed_at", "bigint", required)
        .addColumn("expires_at", "bigint", required)
        .addPrimaryKeyConstraint(`nonces_${partition}_pk`, nonceKey),
    ).execute();
  }
  await keyed(
    table("quota_days")
      .addColumn("app_id", "text", ofApp)
      .addColumn("day", "integer", required)
      .addColumn("used", "bigint", required)
      .addPrimaryKeyConstraint("quota_days_pk", ["app_id", "day"]),
  ).execute();
  await keyed(
    table("requests")
      .addColumn("req_no", "text", (c) => c.primaryKey())
      .addColumn("app_id", "text")
      .addColumn("at", "bigint", required)
      .addColumn("method", "text", required)
      .addColumn("path", "text", required)
      .addColumn("status", "integer", required)
      .addColumn("code", "text", required)
      .addColumn("duration_ms", "integer", required)
      .addColumn("detail", "text"),
  ).execute();
}
const ofApp = (column: import("kysely").ColumnDefinitionBuilder) => column.notNull().references("apps.app_id");
