import type { Kysely } from "kysely";
import type { Dialect, Schema } from "../schema.ts";
import { keyedOn } from "./tables.ts";

const BOUNDS = [1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 2000, 5000, 10000, 60000];

/** Adds how long an application's calls took, and the codes of those that were refused or failed, by the minute. */
export async function up(db: Kysely<Schema>, dialect: Dialect): Promise<void> {
  const { schema } = db;
  const keyed = keyedOn(dialect);
  for (const bound of BOUNDS) {
    await schema
      .alterTable("call_counts")
      .addColumn(`ms_${bound}`, "bigint", (c) => c.notNull().defaultTo(0))
      .execute();
  }
  await keyed(
    schema
      .createTable("call_errors")
      .addColumn("app_id", "text", (c) => c.notNull().references("apps.app_id"))
      .addColumn("minute", "bigint", (c) => c.notNull())
      .addColumn("code", "text", (c) => c.notNull())
      .addColumn("calls", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("call_errors_pk", ["app_id", "minute", "code"]),
  ).execute();
  await schema.createIndex("call_errors_minute").on("call_errors").column("minute").execute();
}
