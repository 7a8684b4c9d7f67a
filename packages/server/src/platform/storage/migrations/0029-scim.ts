import type { Kysely } from "kysely";
import type { Dialect, Schema } from "../schema.ts";
import { keyedOn, required } from "./tables.ts";

export const indexes = [{ name: "members_name", table: "members", columns: ["tenant_id", "name", "username"] }];

/** Adds what the directories of tenants say of their people and groups, and the tokens by which they say it. */
export async function up(db: Kysely<Schema>, dialect: Dialect): Promise<void> {
  const { schema } = db;
  const keyed = keyedOn(dialect);
  const ofTenant = (table: string) =>
    schema.createTable(table).addColumn("tenant_id", "text", (c) => c.notNull().references("tenants.tenant_id"));
  await ofTenant("scim_tokens")
    .addColumn("token_id", "text", (c) => c.primaryKey().notNull())
    .addColumn("name", "text", required)
    .addColumn("token_hash", "text", (c) => c.notNull().unique())
    .addColumn("created_at", "bigint", required)
    .execute();
  await schema.createIndex("scim_tokens_tenant").on("scim_tokens").column("tenant_id").execute();
  await ofTenant("scim_users")
    .addColumn("user_id", "text", (c) => c.primaryKey().notNull().references("members.user_id"))
    .addColumn("external_id", "text")
    .addColumn("deleted_at", "bigint")
    .execute();
  await schema.createIndex("scim_users_external").on("scim_users").columns(["tenant_id", "external_id"]).execute();
  await ofTenant("scim_groups")
    .addColumn("group_id", "text", (c) => c.primaryKey().notNull())
    .addColumn("display_name", "text", required)
    .addColumn("external_id", "text")
    .execute();
  for (const [name, ...columns] of [
    ["ids", "group_id"],
    ["names", "display_name", "group_id"],
    ["external_ids", "external_id", "group_id"],
  ] as const) {
    const index = schema.createIndex(`scim_groups_${name}`).on("scim_groups");
    await index.columns(["tenant_id", ...columns]).execute();
  }
  await keyed(
    schema
      .createTable("scim_group_members")
      .addColumn("group_id", "text", (c) => c.notNull().references("scim_groups.group_id"))
      .addColumn("user_id", "text", (c) => c.notNull().references("members.user_id"))
      .addPrimaryKeyConstraint("scim_group_members_pk", ["group_id", "user_id"]),
  ).execute();
  await schema.createIndex("scim_group_members_user").on("scim_group_members").column("user_id").execute();
}
