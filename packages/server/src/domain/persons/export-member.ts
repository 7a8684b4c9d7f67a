import type { MemberDataKind } from "@portico/protocol/schemas";
import { sql } from "kysely";
import { JsonText } from "../../platform/http/json-text.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { listAuditEntries } from "../audit/audit-queries.ts";
import { type ExportPage, exportPage, fromPlace, type ReadRecords } from "./export-pages.ts";
import { isMessageOf, messagesOf } from "./messages-of.ts";
import { type anyOf, nextWindow, type SweptTable } from "./window.ts";

/** Whose data is exported. */
export interface ExportedMember {
  tenantId: string;
  userId: string;
}

type Read = ReadRecords<ExportedMember>;

/** What is stored about a member, in the order in which it is told. Sent files are named by the messages that have them. */
const KINDS: readonly (readonly [MemberDataKind, Read])[] = [
  ["member", readProfile],
  ["identity", readIdentities],
  ["directory", readDirectory],
  ["directoryGroup", readDirectoryGroups],
  ["group", readGroups],
  ["login", readLogins],
  ["installation", readInstallations],
  ["miniProgram", readMiniPrograms],
  ["agent", readAgents],
  ["read", readMarks],
  ["file", readFiles],
  ["message", readMessages],
  ["cardAction", readCardActions],
  ["customerMessage", readCustomerMessages],
  ["note", readNotes],
  ["change", readChanges],
];

/**
 * A page of all that is stored about a member. It may be empty, and have a next page: what it costs is bounded, however
 * few of the rows that it looks at are theirs.
 *
 * @param place `next` of the page before; empty for the first.
 */
export async function exportMember(db: Db, member: ExportedMember, place: string): Promise<ExportPage<MemberDataKind>> {
  return await exportPage(db, KINDS, member, place);
}

async function readProfile(db: Db, { userId }: ExportedMember) {
  const row = await db.selectFrom("members").selectAll().where("user_id", "=", userId).executeTakeFirst();
  if (row === undefined) return { records: [], next: null };
  const { password_hash, ...said } = row;
  return { records: [{ ...said, has_password: password_hash !== null }], next: null };
}

async function readIdentities(db: Db, { userId }: ExportedMember, after: string, limit: number) {
  const rows = await db.selectFrom("member_identities").selectAll().where("user_id", "=", userId).execute();
  return fromPlace(rows, after, limit);
}

async function readDirectory(db: Db, { userId }: ExportedMember, after: string, limit: number) {
  const rows = await db.selectFrom("scim_users").selectAll().where("user_id", "=", userId).execute();
  return fromPlace(rows, after, limit);
}

async function readDirectoryGroups(db: Db, { userId }: ExportedMember, after: string, limit: number) {
  const rows = await db
    .selectFrom("scim_group_members")
    .innerJoin("scim_groups", "scim_groups.group_id", "scim_group_members.group_id")
    .select(["scim_groups.group_id", "display_name"])
    .where("user_id", "=", userId)
    .execute();
  return fromPlace(rows, after, limit);
}

async function readGroups(db: Db, { userId }: ExportedMember, after: string, limit: number) {
  const rows = await db
    .selectFrom("group_members")
    .innerJoin("groups", "groups.group_id", "group_members.group_id")
    .select(["groups.group_id", "name"])
    .where("user_id", "=", userId)
    .execute();
  return fromPlace(rows, after, limit);
}

async function readLogins(db: Db, { userId }: ExportedMember, after: string, limit: number) {
  const rows = await db
    .selectFrom("member_logins")
    .select(["created_at", "expires_at"])
    .where("user_id", "=", userId)
    .execute();
  return fromPlace(rows, after, limit);
}

async function readInstallations(db: Db, { userId }: ExportedMember, after: string, limit: number) {
  const rows = await db
    .selectFrom("installations")
    .select(["app_id", "status", "installed_at", "first_installed_at"])
    .where("target_type", "=", "USER")
    .where("target_id", "=", userId)
    .execute();
  return fromPlace(rows, after, limit);
}

/** By what applications know the member: of so many applications at a time. */
async function readMiniPrograms(db: Db, { userId }: ExportedMember, after: string, limit: number) {
  const apps = await db
    .selectFrom("apps")
    .select(["app_id", "owner_id"])
    .where("app_id", ">", nameIn(after))
    .orderBy("app_id")
    .limit(limit)
    .execute();
  const records: Record<string, unknown>[] = [];
  for (const { app_id, owner_id } of apps) {
    const opened = await db
      .selectFrom("miniapp_open_ids")
      .select(["app_id", "open_id"])
      .where("app_id", "=", app_id)
      .where("user_id", "=", userId)
      .executeTakeFirst();
    if (opened === undefined) continue;
    const united = await db
      .selectFrom("miniapp_union_ids")
      .select("union_id")
      .where("owner_id", "=", owner_id ?? `app:${app_id}`)
      .where("user_id", "=", userId)
      .executeTakeFirst();
    records.push({ ...opened, union_id: united?.union_id ?? null });
  }
  const last = apps.at(-1);
  return { records, next: last === undefined || apps.length < limit ? null : placeOf(last.app_id) };
}

/** A place that is named by an id or a key. */
function placeOf(name: string): string {
  return `0.${name}`;
}

/** The name in such a place; empty for the first. */
function nameIn(place: string): string {
  return place.replace(/^0\.?/, "");
}

async function readAgents(db: Db, { userId }: ExportedMember, after: string, limit: number) {
  const rows = await db
    .selectFrom("app_agents")
    .leftJoin("desk_agents", (join) =>
      join
        .onRef("desk_agents.app_id", "=", "app_agents.app_id")
        .onRef("desk_agents.user_id", "=", "app_agents.user_id"),
    )
    .select(["app_agents.app_id", "status", "heartbeat_at", "max_sessions"])
    .where("app_agents.user_id", "=", userId)
    .execute();
  return fromPlace(rows, after, limit);
}

async function readMarks(db: Db, { userId }: ExportedMember, after: string, limit: number) {
  const rows = await db
    .selectFrom("member_reads")
    .select(["conversation_key", "seq"])
    .where("user_id", "=", userId)
    .where("conversation_key", ">", nameIn(after))
    .orderBy("conversation_key")
    .limit(limit)
    .execute();
  const last = rows.at(-1);
  return { records: rows, next: last === undefined || rows.length < limit ? null : placeOf(last.conversation_key) };
}

async function readFiles(db: Db, { userId }: ExportedMember, after: string, limit: number) {
  const rows = await db
    .selectFrom("files")
    .select(["file_key", "file_name", "mime_type", "size", "created_at", "expires_at"])
    .where("owner_type", "=", "MEMBER")
    .where("owner_id", "=", userId)
    .where("sent_at", "is", null)
    .execute();
  return fromPlace(rows, after, limit);
}

/** Their own, and those of bots in conversations with them. */
async function readMessages(db: Db, { userId }: ExportedMember, after: string, limit: number) {
  const { ids, next } = await findIds(db, "messages", { after, limit }, "message_id", messagesOf(userId));
  if (ids.length === 0) return { records: [], next };
  const rows = await db
    .selectFrom("messages")
    .selectAll()
    .where("message_id", "in", ids)
    .orderBy("message_id")
    .execute();
  const own = rows.filter((row) =>
    isMessageOf(userId, {
      conversationKey: row.conversation_key,
      senderType: row.sender_type,
      senderId: row.sender_id,
    }),
  );
  const records = own.map(({ content, mentions, ...row }) => ({
    ...row,
    content: new JsonText(content),
    mentions: new JsonText(mentions),
  }));
  return { records, next };
}

/** What they chose and entered in cards, as long as it is kept; so many rows of the table are looked at. */
async function readCardActions(db: Db, { userId }: ExportedMember, after: string, limit: number) {
  const rows = await db
    .selectFrom("card_actions")
    .selectAll()
    .where("action_id", ">", nameIn(after))
    .orderBy("action_id")
    .limit(ACTIONS)
    .execute();
  const own = rows.filter(({ user_id }) => user_id === userId);
  const told = own.slice(0, limit);
  const isAll = told.length === own.length;
  const last = isAll ? rows.at(-1) : told.at(-1);
  return {
    records: told.map((row) => ({ ...row, action: new JsonText(row.action) })),
    next: last === undefined || (isAll && rows.length < ACTIONS) ? null : placeOf(last.action_id),
  };
}

/** What they wrote to visitors as an agent. */
async function readCustomerMessages(db: Db, { userId }: ExportedMember, after: string, limit: number) {
  const condition = sql<boolean>`agent_user_id = ${userId}`;
  const { ids, next } = await findIds(db, "customer_messages", { after, limit }, "message_id", condition);
  if (ids.length === 0) return { records: [], next };
  const rows = await db
    .selectFrom("customer_messages")
    .selectAll()
    .where("message_id", "in", ids)
    .orderBy("message_id")
    .execute();
  return { records: rows.map((row) => ({ ...row, content: new JsonText(row.content) })), next };
}

async function readNotes(db: Db, { userId }: ExportedMember, after: string, limit: number) {
  const { ids, next } = await findIds(
    db,
    "customer_notes",
    { after, limit },
    "note_id",
    sql<boolean>`agent_user_id = ${userId}`,
  );
  if (ids.length === 0) return { records: [], next };
  const rows = await db
    .selectFrom("customer_notes")
    .selectAll()
    .where("note_id", "in", ids)
    .orderBy("note_id")
    .execute();
  return { records: rows, next };
}

/** Entries of the audit log about the member. */
async function readChanges(db: Db, { userId }: ExportedMember, after: string, limit: number) {
  const before = Number(after);
  const page = await listAuditEntries(db, { target: `member:${userId}` }, { limit, ...(before > 0 && { before }) });
  if (page === null) return { records: [], next: null };
  const next = page.nextBefore === null ? null : String(page.nextBefore);
  return { records: page.items.map((entry) => ({ ...entry })), next };
}

/** Rows of card actions that one page looks at: any may be long. */
const ACTIONS = 500;

/** Windows of a table that one page looks through. */
const WINDOWS = 20;

/** The numbers of the next rows of a table that fit, at most `limit`, and from where to go on. */
async function findIds(
  db: Db,
  table: SweptTable,
  { after, limit }: { after: string; limit: number },
  number: string,
  condition: ReturnType<typeof anyOf>,
): Promise<{ ids: number[]; next: string | null }> {
  const ids: number[] = [];
  let place: string | null = after;
  for (let windows = 0; place !== null && windows < WINDOWS; windows++) {
    const found: { rows: { id: number }[]; next: string | null } = await nextWindow<{ id: number }>(db, table, place, {
      columns: { id: number },
      condition,
    });
    ids.push(...found.rows.map(({ id }) => id));
    if (ids.length > limit) return { ids: ids.slice(0, limit), next: String(ids[limit - 1]) };
    place = found.next;
    if (ids.length === limit) break;
  }
  return { ids, next: place };
}
