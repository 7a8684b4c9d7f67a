import { type Kysely, sql } from "kysely";
import type { Dialect, Schema } from "../schema.ts";
import { required } from "./tables.ts";

/**
 * Adds what transactions note of the calls that they count, until it is added to `quota_days`. Only PostgreSQL has rows in it:
 * SQLite writes the sum with each transaction.
 */
export async function up(db: Kysely<Schema>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable("quota_uses")
    .addColumn("use_id", dialect === "sqlite" ? "integer" : "bigserial", (c) => c.primaryKey())
    .addColumn("app_id", "text", required)
    .addColumn("day", "integer", required)
    .addColumn("counter", "text", required)
    .addColumn("calls", "integer", required)
    .execute();
  if (dialect === "sqlite") return;
  // All its rows go within a tenth of a second, and each time those that have gone are passed by.
  await sql`alter table quota_uses set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`.execute(
    db,
  );
}
