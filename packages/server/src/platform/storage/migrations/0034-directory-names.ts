import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";

/** Keeps the user names of directories that members cannot have as they are. */
export async function up({ schema }: Kysely<Schema>): Promise<void> {
  await schema.alterTable("scim_users").addColumn("user_name", "text").execute();
}
