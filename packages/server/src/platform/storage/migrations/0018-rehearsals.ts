import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";

/** Adds the fault that an application rehearses. */
export async function up(db: Kysely<Schema>): Promise<void> {
  const column = (name: string, type: "text" | "integer" | "bigint") =>
    db.schema.alterTable("apps").addColumn(name, type).execute();
  await column("rehearsed_fault", "text");
  await column("rehearsed_left", "integer");
  await column("rehearsed_until", "bigint");
  await column("rehearsed_delay_ms", "integer");
}
