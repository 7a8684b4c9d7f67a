import type { Kysely } from "kysely";
import type { Dialect, Schema } from "../schema.ts";
import { keyedOn, required } from "./tables.ts";

/**
 * Adds members' logins, which a refresh token renews, and what logins keep of refresh tokens that have just been replaced.
 * Access tokens from before belong to no login.
 */
export async function up(db: Kysely<Schema>, dialect: Dialect): Promise<void> {
  const { schema } = db;
  const keyed = keyedOn(dialect);

  await keyed(
    schema
      .createTable("member_logins")
      .addColumn("login_id", "text", (c) => c.primaryKey())
      .addColumn("user_id", "text", (c) => c.notNull().references("members.user_id"))
      .addColumn("refresh_hash", "text", required)
      .addColumn("created_at", "bigint", required)
      .addColumn("expires_at", "bigint", required)
      .addColumn("generation", "integer", required)
      .addColumn("rotated", "text", required)
      .addColumn("shared_until", "bigint", required),
  ).execute();
  await schema.createIndex("member_logins_user").on("member_logins").columns(["user_id", "expires_at"]).execute();
  await schema.createIndex("member_logins_expiry").on("member_logins").column("expires_at").execute();
  await schema
    .alterTable("member_tokens")
    .addColumn("login_id", "text", (c) => c.references("member_logins.login_id").onDelete("cascade"))
    .execute();
  await schema.createIndex("member_tokens_login").on("member_tokens").columns(["login_id", "expires_at"]).execute();

  for (const [name, type, start] of [
    ["generation", "integer", 0],
    ["rotated", "text", "[]"],
    ["shared_until", "bigint", 0],
  ] as const) {
    await schema
      .alterTable("console_logins")
      .addColumn(name, type, (c) => c.notNull().defaultTo(start))
      .execute();
  }
}
