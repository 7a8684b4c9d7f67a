import { type Kysely, sql } from "kysely";
import type { Dialect, Schema } from "../schema.ts";

/**
 * Foreign keys of rows that are written by the hundred a second, each in the transaction that has written or found what it
 * refers to: messages and applications are never deleted, and an attempt is recorded by the statement that locks its
 * delivery. PostgreSQL looked all of it up again for each row, and locked the application's row for that.
 */
const SELF_EVIDENT = [
  ["message_recipients", "message_id"],
  ["message_recipients", "app_id"],
  ["conversation_changes", "message_id"],
  ["deliveries", "app_id"],
  ["delivery_attempts", "delivery_id"],
] as const;

/**
 * Drops these foreign keys from PostgreSQL. Attempts leave with their delivery by a trigger, also when a process of the
 * version before deletes it. SQLite, which would have to write the tables anew, keeps the keys: there they cost little.
 */
export async function up(db: Kysely<Schema>, dialect: Dialect): Promise<void> {
  if (dialect === "sqlite") return;
  for (const [table, column] of SELF_EVIDENT) {
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(`${table}_${column}_fkey`)}`.execute(db);
  }
  // An array, not a join: it is planned by the attempts' key whatever the statistics of either table. With this schema's own
  // path, so that who deletes with another one does not delete another schema's.
  await sql`
    create function forget_attempts() returns trigger language plpgsql set search_path from current as $$
      begin
        delete from delivery_attempts where delivery_id = any(array(select delivery_id from deleted));
        return null;
      end
    $$
  `.execute(db);
  await sql`
    create trigger forget_attempts after delete on deliveries referencing old table as deleted
    for each statement execute function forget_attempts()
  `.execute(db);
}
