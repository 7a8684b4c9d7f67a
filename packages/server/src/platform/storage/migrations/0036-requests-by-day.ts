import { type Kysely, sql } from "kysely";
import type { Dialect, Schema } from "../schema.ts";

/**
 * Makes the request log of PostgreSQL a partitioned table whose default partition is the table as it was, with its rows and
 * indexes: nothing is read or moved, and who writes by its name goes on. Services make the days (domain/requests/days).
 */
export async function up(db: Kysely<Schema>, dialect: Dialect): Promise<void> {
  if (dialect === "sqlite") return;
  await sql`alter table requests rename to requests_default`.execute(db);
  await sql`alter table requests_default rename constraint requests_pkey to requests_default_pkey`.execute(db);
  await sql`alter index requests_app rename to requests_default_app`.execute(db);
  await sql`create table requests (like requests_default including defaults) partition by range (req_no)`.execute(db);
  await sql`alter table requests add constraint requests_pkey primary key (req_no)`.execute(db);
  // Attaching takes over the indexes that are there.
  await sql`create index requests_app on requests (app_id, req_no)`.execute(db);
  await sql`alter table requests attach partition requests_default default`.execute(db);
}
