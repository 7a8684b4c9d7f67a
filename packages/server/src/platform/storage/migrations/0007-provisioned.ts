import { type Kysely, sql } from "kysely";
import type { Dialect, Schema } from "../schema.ts";
import { keyedOn, required } from "./tables.ts";

/** Adds the values that provisioning files had when they were last applied, and revoked credentials. */
export async function up(db: Kysely<Schema>, dialect: Dialect): Promise<void> {
  const table = (name: string) => db.schema.createTable(name);
  const keyed = keyedOn(dialect);

  await keyed(
    table("provisioned")
      .addColumn("entity", "text", required)
      .addColumn("item", "text", required)
      .addColumn("hash", "text", required)
      .addPrimaryKeyConstraint("provisioned_pk", ["entity", "item"]),
  ).execute();
  // A revoked credential is removed from its table. This one remembers its id, so that a file that still has it cannot
  // restore it.
  await keyed(
    table("revoked_credentials")
      .addColumn("credential_hash", "text", (c) => c.primaryKey())
      .addColumn("app_id", "text", required)
      .addColumn("revoked_at", "bigint", required),
  ).execute();
  // A transaction that applies a file locks this row.
  await db
    .insertInto("meta")
    .values({ name: "provisioning", value: "" })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

  // Rows that exist already may come from a file and have been changed since: the value in that file is unknown.
  for (const [kind, name, id] of [
    ["tenant", "tenants", sql`tenant_id`],
    ["member", "members", sql`user_id`],
    ["group", "groups", sql`group_id`],
    ["developer", "developers", sql`channel_id || ':' || phone`],
    ["app", "apps", sql`app_id`],
  ] as const) {
    await sql`insert into provisioned (entity, item, hash)
      select ${sql.lit(`${kind}:`)} || ${id}, '', '' from ${sql.table(name)} where true
      on conflict do nothing`.execute(db);
  }
}
