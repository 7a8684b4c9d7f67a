import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";

/** Counts the wrong codes of a second factor within a day, and the secrets that one sign-in asks for. */
export async function up({ schema }: Kysely<Schema>): Promise<void> {
  for (const [name, type] of [
    ["failures", "integer"],
    ["failures_since", "bigint"],
  ] as const) {
    await schema
      .alterTable("developer_factors")
      .addColumn(name, type, (c) => c.notNull().defaultTo(0))
      .execute();
  }
  await schema
    .alterTable("sign_in_challenges")
    .addColumn("enrolments", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
}
