import type { Member, Mention } from "@portico/protocol";
import type { Db } from "../storage/schema.ts";

/** Who a tenant's accounts stand for, by each account asked about: userId before username before appId. */
export async function findMentionable(db: Db, tenantId: string, accounts: string[]): Promise<Map<string, Mention>> {
  // PostgreSQL's texts hold no NUL, and no account does.
  const askable = accounts.filter((account) => !account.includes("\0"));
  if (askable.length === 0) return new Map();
  const bots = await db
    .selectFrom("apps")
    .select(["app_id as userId", "display_name as name"])
    .where("tenant_id", "=", tenantId)
    .where("type", "=", "BOT")
    .where("app_id", "in", askable)
    .execute();
  const members = await db
    .selectFrom("members")
    .select(["user_id as userId", "username", "name"])
    .where("tenant_id", "=", tenantId)
    .where((eb) => eb.or([eb("user_id", "in", askable), eb("username", "in", askable)]))
    .execute();
  const found = new Map<string, Mention>();
  for (const bot of bots) found.set(bot.userId, { ...bot, isBot: true });
  for (const { userId, username, name } of members) found.set(username, { userId, name, isBot: false });
  for (const { userId, name } of members) found.set(userId, { userId, name, isBot: false });
  return found;
}

/** A member with what signing in needs, by account; null when there is none. */
export async function findForLogin(
  db: Db,
  tenantId: string,
  username: string,
): Promise<(Member & { passwordHash: string | null }) | null> {
  const row = await db
    .selectFrom("members")
    .select(["user_id as userId", "username", "name", "tenant_id as tenantId", "password_hash as passwordHash"])
    .where("tenant_id", "=", tenantId)
    .where("username", "=", username)
    .executeTakeFirst();
  return row ?? null;
}
