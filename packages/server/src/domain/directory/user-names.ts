import type { Mention } from "@portico/protocol";
import { sql } from "kysely";
import { joint, unitInStep } from "../../platform/storage/joint.ts";
import { dialectOf, inLowerCase } from "../../platform/storage/lower-case.ts";
import { prepared } from "../../platform/storage/prepared.ts";
import { preparedForKeys } from "../../platform/storage/prepared-for-keys.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { foldCase } from "./fold-case.ts";

/**
 * Resolves accounts in a tenant; for each one a userId takes precedence over a username, in any case, and a username over an
 * appId.
 * The cost depends on the number of accounts, not on the size of the tenant.
 */
export async function findMentionable(db: Db, tenantId: string, accounts: string[]): Promise<Map<string, Mention>> {
  // PostgreSQL texts cannot contain NUL, and neither does any account.
  const askable = accounts.filter((account) => !account.includes("\0"));
  if (askable.length === 0) return new Map();
  if (askable.length <= MOST_JOINTLY && unitInStep(db) !== undefined) return await findJointly(db, tenantId, askable);
  const [bots, members] = await Promise.all([findBots(db, tenantId, askable), findMembers(db, tenantId, askable)]);
  const found = new Map<string, Mention>();
  for (const bot of bots) found.set(bot.userId, { ...bot, isBot: true });
  for (const [account, { userId, name }] of members.byName) found.set(account, { userId, name, isBot: false });
  for (const { userId, name } of members.byId) found.set(userId, { userId, name, isBot: false });
  return found;
}

/** For more accounts than this, one unit's statements are enough. */
const MOST_JOINTLY = 8;

async function findJointly(db: Db, tenantId: string, accounts: readonly string[]): Promise<Map<string, Mention>> {
  const found = await Promise.all(accounts.map((account) => findAccount(db, { tenantId, account })));
  const known = found.map((mention, index) => [accounts[index] ?? "", mention] as const);
  return new Map(known.filter((entry): entry is [string, Mention] => entry[1] !== null));
}

interface NamedAccount extends Record<string, unknown> {
  tenantId: string;
  account: string;
}

const findAccount = joint<NamedAccount, Mention | null>({
  alone: async (db, { tenantId, account }) => (await findMentionable(db, tenantId, [account])).get(account) ?? null,
  async joint(db, all) {
    const rows = await selectAccounts.rows(db, {
      tenantIds: all.map(({ tenantId }) => tenantId),
      accounts: all.map(({ account }) => account),
      folded: all.map(({ account }) => foldCase(account)),
    });
    const byPlace = Map.groupBy(rows, ({ n }) => Number(n));
    return all.map(({ tenantId, account }, index) => {
      const found = byPlace.get(index + 1) ?? [];
      const named = found.map((row) => ({ row, userId: row.namedId ?? "", username: row.namedUsername ?? "" }));
      const row = firstOf(named, account)?.row ?? found[0];
      return row === undefined ? null : mentionIn(row, tenantId);
    });
  },
});

interface AccountRow {
  n: number;
  memberId: string | null;
  memberName: string | null;
  memberTenant: string | null;
  namedId: string | null;
  namedUsername: string | null;
  namedName: string | null;
  botId: string | null;
  botName: string | null;
  botTenant: string | null;
  botType: string | null;
}

function mentionIn(row: AccountRow, tenantId: string): Mention | null {
  const { memberId, memberName, memberTenant, namedId, namedName, botId, botName, botTenant, botType } = row;
  if (memberId !== null && memberTenant === tenantId) return { userId: memberId, name: memberName ?? "", isBot: false };
  if (namedId !== null) return { userId: namedId, name: namedName ?? "", isBot: false };
  const isBot = botTenant === tenantId && botType === "BOT";
  return botId !== null && isBot ? { userId: botId, name: botName ?? "", isBot } : null;
}

/** Each account by each of three keys. */
const selectAccounts = prepared<{ tenantIds: string[]; accounts: string[]; folded: string[] }>()((db, param) => ({
  compile: () =>
    sql<AccountRow>`
      select n, member.user_id as "memberId", member.name as "memberName", member.tenant_id as "memberTenant",
        named.user_id as "namedId", named.username as "namedUsername", named.name as "namedName",
        apps.app_id as "botId", apps.display_name as "botName", apps.tenant_id as "botTenant", apps.type as "botType"
      from unnest(${param("tenantIds")}::text[], ${param("accounts")}::text[], ${param("folded")}::text[]) with ordinality
        as asked(tenant_id, account, folded, n)
      left join members as member on member.user_id = asked.account
      left join members as named
        on named.tenant_id = asked.tenant_id and ${inLowerCase("postgres", "named.username")} = asked.folded
      left join apps on apps.app_id = asked.account
    `.compile(db),
}));

async function findBots(
  db: Db,
  tenantId: string,
  appIds: readonly string[],
): Promise<{ userId: string; name: string }[]> {
  const rows = await selectApps.rows(db, appIds, {});
  return rows
    .filter((row) => row.tenantId === tenantId && row.type === "BOT")
    .map(({ userId, name }) => ({ userId, name }));
}

const selectApps = preparedForKeys<string>()((db, appIds) =>
  db
    .selectFrom("apps")
    .select(["app_id as userId", "display_name as name", "tenant_id as tenantId", "type"])
    .where("app_id", "in", appIds),
);

/**
 * The tenant's members whose userId or username is among `accounts`. Two statements, one for each index: given an OR, a
 * planner may prefer to read all members of the tenant. The same may happen when the userId query also names the tenant.
 */
async function findMembers(
  db: Db,
  tenantId: string,
  accounts: readonly string[],
): Promise<{ byId: MemberName[]; byName: Map<string, MemberName> }> {
  const [byId, byName] = await Promise.all([
    selectByUserId.rows(db, accounts, {}),
    findMembersByName(db, tenantId, accounts),
  ]);
  return { byId: byId.filter((row) => row.tenantId === tenantId), byName };
}

/** The tenant's members who have the usernames, in any case, by the usernames as they are given. */
export async function findMembersByName(
  db: Db,
  tenantId: string,
  usernames: readonly string[],
): Promise<Map<string, MemberName>> {
  const rows = await selectByUsername.rows(db, [...new Set(usernames.map(foldCase))], { tenantId });
  // Thousands of members can be asked for, so each name is compared with those that are the same but for their case alone.
  const byFolded = Map.groupBy(rows, (row) => foldCase(row.username));
  const found = new Map<string, MemberName>();
  for (const username of usernames) {
    const member = firstOf(byFolded.get(foldCase(username)) ?? [], username);
    if (member !== null) found.set(username, member);
  }
  return found;
}

/**
 * Of members whose usernames are the same but for their case, the one that is meant: spelled just so, or else the first. There is
 * more than one only from before such names were refused.
 */
export function firstOf<Row extends { userId: string; username: string }>(
  rows: readonly Row[],
  username: string,
): Row | null {
  const folded = foldCase(username);
  let first: Row | null = null;
  for (const row of rows) {
    if (row.username === username) return row;
    if (foldCase(row.username) === folded && (first === null || row.userId < first.userId)) first = row;
  }
  return first;
}

const selectByUserId = preparedForKeys<string>()((db, userIds) => selectNames(db).where("user_id", "in", userIds));

/**
 * A look-up for each of them: given a list, PostgreSQL reads all members of the tenant in the index by their names, as long
 * as it has no statistics of a large one.
 */
const selectByUsername = preparedForKeys<string, { tenantId: string }>()((db, folded, param) => ({
  compile: () => {
    const column = inLowerCase(dialectOf(db), "username");
    const byName = folded.map((username) => {
      const names = sql`select user_id as "userId", username, name, tenant_id as "tenantId" from members`;
      return sql`${names} where tenant_id = ${param("tenantId")} and ${column} = ${username}`;
    });
    return sql<MemberName & { tenantId: string }>`${sql.join(byName, sql` union all `)}`.compile(db);
  },
}));

function selectNames(db: Db) {
  return db.selectFrom("members").select(["user_id as userId", "username", "name", "tenant_id as tenantId"]);
}

export interface MemberName {
  userId: string;
  username: string;
  name: string;
}

/** The userIds of the accounts that exist in the tenant; a username takes precedence over a userId. */
export async function findUserIds(db: Db, tenantId: string, accounts: readonly string[]): Promise<Map<string, string>> {
  const { byId, byName } = await findMembers(db, tenantId, accounts);
  const found = new Map<string, string>();
  for (const { userId } of byId) found.set(userId, userId);
  for (const [account, { userId }] of byName) found.set(account, userId);
  return found;
}

/**
 * Keeps the username for this transaction, until its end, whatever its case.
 *
 * @param userId who may have it already.
 * @returns the name of another member who has it; null when there is none.
 */
export async function holdUsername(
  tx: Db,
  tenantId: string,
  { userId, username }: { userId: string; username: string },
): Promise<{ userId: string; username: string } | null> {
  const folded = foldCase(username);
  if (dialectOf(tx) === "postgres") {
    const name = `username ${tenantId} ${folded}`;
    await tx.selectNoFrom(sql`pg_advisory_xact_lock(hashtextextended(${name}, 0))`.as("locked")).execute();
  }
  const rows = await selectByUsername.rows(tx, [folded], { tenantId });
  return firstOf(
    rows.filter((row) => row.userId !== userId),
    username,
  );
}
