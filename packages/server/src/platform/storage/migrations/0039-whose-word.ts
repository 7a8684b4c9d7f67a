import { type Kysely, sql } from "kysely";
import type { Schema } from "../schema.ts";

/** Members for one statement. */
const AT_ONCE = 500;

/**
 * Notes on whose word a member's phone number rests and who has disabled them, with which sign-in to the messenger a login to
 * the console began, and to which tenant it is confined. Members whose number, password or state a directory or a provider has
 * changed, as far as the audit log tells, count as vouched for; logins by QR code, of which is not known on whom they rest, end.
 */
export async function up(db: Kysely<Schema>): Promise<void> {
  // Before the tables are altered, which locks them.
  const byDirectory = await changedBy(db, sql`actor_id like 'scim:%'`);
  const byProvider = await changedBy(db, sql`actor_id = 'oidc'`);
  const { schema } = db;
  for (const [table, column] of [
    ["members", "vouched_by"],
    ["members", "disabled_by"],
    ["member_logins", "issuer"],
    ["console_logins", "user_id"],
    ["console_logins", "tenant_id"],
    ["console_qr_logins", "member_session"],
    ["sign_in_challenges", "user_id"],
    ["sign_in_challenges", "member_session"],
  ] as const) {
    await schema.alterTable(table).addColumn(column, "text").execute();
  }
  // Both tables have few rows.
  for (const table of ["console_logins", "sign_in_challenges"] as const) {
    await schema.createIndex(`${table}_user`).on(table).column("user_id").execute();
  }
  await markVouched(db, byDirectory, "SCIM");
  await markVouched(db, byProvider, "OIDC");
  await sql`
    delete from console_logins where exists (
      select 1 from audit_entries
      where target = 'session:' || session_id and action = 'session.start' and after like '{"method":"qr"%')
  `.execute(db);
}

/**
 * The members about whom such an actor has written more than a name, beside those of whom a directory or a provider knows
 * now: these count as vouched for anyway.
 */
async function changedBy(db: Kysely<Schema>, isActor: ReturnType<typeof sql>): Promise<string[]> {
  const { rows } = await sql<{ target: string }>`
    select distinct target from audit_entries
    where actor_type = 'SYSTEM' and ${isActor} and target like 'member:%'
      and (action <> 'member.update' or after like '%"phone":%' or after like '%"password":%')
      and not exists (select 1 from scim_users where 'member:' || user_id = target)
      and not exists (select 1 from member_identities where 'member:' || user_id = target)
  `.execute(db);
  return rows.map(({ target }) => target.slice("member:".length));
}

async function markVouched(db: Kysely<Schema>, userIds: readonly string[], by: string): Promise<void> {
  for (let from = 0; from < userIds.length; from += AT_ONCE) {
    const some = sql.join(userIds.slice(from, from + AT_ONCE));
    await sql`update members set vouched_by = ${by} where user_id in (${some})`.execute(db);
  }
}
