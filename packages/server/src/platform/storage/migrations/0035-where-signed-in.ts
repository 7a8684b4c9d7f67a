import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";

/** Notes where members are signed in, as of developers, and the wrong codes that the owner of a second factor has not heard of. */
export async function up({ schema }: Kysely<Schema>): Promise<void> {
  for (const [name, type] of [
    ["address", "text"],
    ["user_agent", "text"],
    ["last_used_at", "bigint"],
  ] as const) {
    await schema.alterTable("member_logins").addColumn(name, type).execute();
  }
  for (const [name, type] of [
    ["unseen_failures", "integer"],
    ["unseen_since", "bigint"],
  ] as const) {
    await schema
      .alterTable("developer_factors")
      .addColumn(name, type, (c) => c.notNull().defaultTo(0))
      .execute();
  }
}
