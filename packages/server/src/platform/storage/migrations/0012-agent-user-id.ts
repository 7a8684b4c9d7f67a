import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";

/** Renames the agent's column to match its content: a userId. In the APIs, `agentId` is the agent's user name. */
export async function up(db: Kysely<Schema>): Promise<void> {
  for (const table of ["customer_sessions", "customer_messages"]) {
    await db.schema.alterTable(table).renameColumn("agent_id", "agent_user_id").execute();
  }
}
