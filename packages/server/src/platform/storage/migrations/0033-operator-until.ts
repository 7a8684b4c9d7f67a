import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";

/** Notes until when a developer is an operator on the word of the provider. */
export async function up({ schema }: Kysely<Schema>): Promise<void> {
  await schema.alterTable("developers").addColumn("operator_until", "bigint").execute();
}
