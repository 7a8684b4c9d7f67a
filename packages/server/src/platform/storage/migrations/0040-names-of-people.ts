import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";

export const indexes = [
  { name: "members_lower_case", table: "members", columns: ["tenant_id", { lower: "username" }] },
];

/**
 * Adds what directories say of people's names and e-mail addresses, and when members and groups of directories were made and last
 * changed: null for those from before. Members are found by their user names in any case.
 */
export async function up({ schema }: Kysely<Schema>): Promise<void> {
  for (const column of ["display_name", "formatted_name", "given_name", "family_name", "emails"]) {
    await schema.alterTable("scim_users").addColumn(column, "text").execute();
  }
  for (const table of ["members", "scim_groups"]) {
    for (const column of ["added_at", "edited_at"]) {
      await schema.alterTable(table).addColumn(column, "bigint").execute();
    }
  }
}
