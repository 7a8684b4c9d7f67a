import type { Kysely } from "kysely";
import type { Dialect, Schema } from "../schema.ts";
import { keyedOn, required } from "./tables.ts";

/** Adds the developers' second factor, their recovery codes, and sign-ins that wait for a code. */
export async function up(db: Kysely<Schema>, dialect: Dialect): Promise<void> {
  const { schema } = db;
  const keyed = keyedOn(dialect);
  await keyed(
    schema
      .createTable("developer_factors")
      .addColumn("developer_id", "text", (c) => c.primaryKey().notNull())
      .addColumn("secret_box", "text", required)
      .addColumn("created_at", "bigint", required)
      .addColumn("confirmed_at", "bigint")
      .addColumn("last_step", "bigint", required),
  ).execute();
  await keyed(
    schema
      .createTable("developer_recovery_codes")
      .addColumn("code_hash", "text", (c) => c.primaryKey().notNull())
      .addColumn("developer_id", "text", required),
  ).execute();
  await schema
    .createIndex("developer_recovery_codes_developer")
    .on("developer_recovery_codes")
    .column("developer_id")
    .execute();
  await keyed(
    schema
      .createTable("sign_in_challenges")
      .addColumn("challenge_hash", "text", (c) => c.primaryKey().notNull())
      .addColumn("developer_id", "text", required)
      .addColumn("step", "text", required)
      .addColumn("method", "text", required)
      .addColumn("password_mark", "text")
      .addColumn("tries", "integer", required)
      .addColumn("expires_at", "bigint", required),
  ).execute();
  const challenges = (name: string) => schema.createIndex(`sign_in_challenges_${name}`).on("sign_in_challenges");
  await challenges("expires_at").column("expires_at").execute();
  await challenges("developer").columns(["developer_id", "expires_at"]).execute();
  await schema
    .alterTable("console_logins")
    .addColumn("second_factor", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
}
