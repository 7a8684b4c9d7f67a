import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";

/** Adds why an application is disabled, which only the audit log told so far. */
export async function up(db: Kysely<Schema>): Promise<void> {
  await db.schema.alterTable("apps").addColumn("disabled_reason", "text").execute();
  const disabled = await db.selectFrom("apps").select("app_id").where("status", "=", "DISABLED").execute();
  for (const { app_id } of disabled) {
    const last = await db
      .selectFrom("audit_entries")
      .select("after")
      .where("app_id", "=", app_id)
      .where("action", "=", "app.disable")
      .orderBy("at", "desc")
      .orderBy("audit_id", "desc")
      .limit(1)
      .executeTakeFirst();
    const reason = reasonIn(JSON.parse(last?.after ?? "null"));
    await db.updateTable("apps").set({ disabled_reason: reason }).where("app_id", "=", app_id).execute();
  }
}

function reasonIn(after: unknown): string | null {
  if (typeof after !== "object" || after === null || !("reason" in after)) return null;
  return typeof after.reason === "string" ? after.reason : null;
}
