import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";

/**
 * Adds since when a session waits and how long it has waited before, which returns to the queue begin anew; and the name that
 * an agent had when they wrote a message. All are null for what earlier versions wrote, and read as they were before.
 */
export async function up({ schema }: Kysely<Schema>): Promise<void> {
  await schema.alterTable("customer_sessions").addColumn("waiting_since", "bigint").execute();
  await schema.alterTable("customer_sessions").addColumn("waited_ms", "bigint").execute();
  await schema.alterTable("customer_messages").addColumn("agent_name", "text").execute();
}
