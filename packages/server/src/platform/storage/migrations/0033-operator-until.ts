import { type Kysely, sql } from "kysely";
import type { Schema } from "../schema.ts";

/** Notes until when a developer is an operator on the word of the provider. Developers are few, so the index is there at once. */
export async function up({ schema }: Kysely<Schema>): Promise<void> {
  await schema.alterTable("developers").addColumn("operator_until", "bigint").execute();
  await schema
    .createIndex("developers_operator_until")
    .on("developers")
    .column("operator_until")
    .where(sql.ref("operator_until"), "is not", null)
    .execute();
}
