import type { Kysely } from "kysely";
import type { Dialect, Schema } from "../schema.ts";
import { keyedOn, required } from "./tables.ts";

/** Adds who members and developers are to their company's provider, and the sign-ins by it that were ended of late. */
export async function up(db: Kysely<Schema>, dialect: Dialect): Promise<void> {
  const { schema } = db;
  const keyed = keyedOn(dialect);
  await keyed(
    schema
      .createTable("member_identities")
      .addColumn("tenant_id", "text", required)
      .addColumn("issuer", "text", required)
      .addColumn("subject", "text", required)
      .addColumn("user_id", "text", (c) => c.notNull().references("members.user_id"))
      .addColumn("created_at", "bigint", required)
      .addPrimaryKeyConstraint("member_identities_pk", ["tenant_id", "issuer", "subject"]),
  ).execute();
  await schema
    .createIndex("member_identities_user")
    .on("member_identities")
    .columns(["user_id", "issuer"])
    .unique()
    .execute();
  await keyed(
    schema
      .createTable("developer_identities")
      .addColumn("issuer", "text", required)
      .addColumn("subject", "text", required)
      .addColumn("developer_id", "text", (c) => c.notNull().references("developers.developer_id"))
      .addColumn("created_at", "bigint", required)
      .addPrimaryKeyConstraint("developer_identities_pk", ["issuer", "subject"]),
  ).execute();
  await schema
    .createIndex("developer_identities_developer")
    .on("developer_identities")
    .columns(["developer_id", "issuer"])
    .unique()
    .execute();
  await keyed(
    schema
      .createTable("oidc_used_flows")
      .addColumn("nonce_hash", "text", (c) => c.primaryKey().notNull())
      .addColumn("expires_at", "bigint", required),
  ).execute();
  await schema.createIndex("oidc_used_flows_expiry").on("oidc_used_flows").column("expires_at").execute();
}
