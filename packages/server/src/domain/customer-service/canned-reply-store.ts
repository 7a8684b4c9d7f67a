import type { CannedReply } from "@portico/protocol";
import { sql } from "kysely";
import type { Db } from "../../platform/storage/schema.ts";

/** Who saves a reply: an agent, a developer, or a file of an application that nobody owns. */
export type ReplySaver = { memberId: string; developerId: null } | { memberId: null; developerId: string | null };

/** What a reply says. */
export interface ReplyContent {
  shortcut: string;
  text: string;
}

/** By which a shortcut is unique and sorted. */
export function shortcutKey(shortcut: string): string {
  return shortcut.normalize("NFC").toLowerCase();
}

function selectReplies(db: Db, appId: string) {
  return db
    .selectFrom("canned_replies")
    .leftJoin("members", "members.user_id", "canned_replies.member_id")
    .leftJoin("developers", "developers.developer_id", "canned_replies.developer_id")
    .select(({ fn }) => [
      "reply_id as replyId",
      "shortcut",
      "text",
      fn.coalesce("members.name", "developers.name").as("updatedBy"),
      "updated_at as updatedAt",
    ])
    .where("canned_replies.app_id", "=", appId);
}

/** The application's reply; null when there is none with this id. */
export async function findReply(db: Db, appId: string, replyId: string): Promise<CannedReply | null> {
  return (await selectReplies(db, appId).where("reply_id", "=", replyId).executeTakeFirst()) ?? null;
}

/** The application's reply with this shortcut; null when there is none. */
export async function findReplyByShortcut(db: Db, appId: string, shortcut: string): Promise<CannedReply | null> {
  return (await selectReplies(db, appId).where("shortcut_key", "=", shortcutKey(shortcut)).executeTakeFirst()) ?? null;
}

/** How many replies the application has, and the bytes of their texts. */
export async function countReplies(db: Db, appId: string): Promise<{ total: number; bytes: number }> {
  const { total, bytes } = await db
    .selectFrom("canned_replies")
    .select(({ fn, ref }) => [
      fn.countAll<number>().as("total"),
      sql<number | null>`sum(octet_length(${ref("text")}))`.as("bytes"),
    ])
    .where("app_id", "=", appId)
    .executeTakeFirstOrThrow();
  return { total: Number(total), bytes: Number(bytes ?? 0) };
}

/** The application's shortcuts in order, each with the size of its text in bytes. */
export async function measureReplies(db: Db, appId: string): Promise<{ key: string; bytes: number }[]> {
  return await db
    .selectFrom("canned_replies")
    .select(({ ref }) => ["shortcut_key as key", sql<number>`octet_length(${ref("text")})`.as("bytes")])
    .where("app_id", "=", appId)
    .orderBy("shortcut_key")
    .execute();
}

/** The application's replies whose keys are between two, both included, by shortcut. */
export async function listReplies(
  db: Db,
  appId: string,
  { from, to }: { from: string; to: string },
): Promise<CannedReply[]> {
  return await selectReplies(db, appId)
    .where("shortcut_key", ">=", from)
    .where("shortcut_key", "<=", to)
    .orderBy("shortcut_key")
    .execute();
}

/** A page of the application's replies, by shortcut. */
export async function pageOfReplies(
  db: Db,
  appId: string,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<CannedReply[]> {
  return await selectReplies(db, appId)
    .orderBy("shortcut_key")
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
}

/** Whether another reply of the application has the shortcut. */
export async function isTaken(tx: Db, appId: string, shortcut: string, exceptId: string): Promise<boolean> {
  const row = await tx
    .selectFrom("canned_replies")
    .select("reply_id")
    .where("app_id", "=", appId)
    .where("shortcut_key", "=", shortcutKey(shortcut))
    .where("reply_id", "<>", exceptId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Inserts a reply whose shortcut is free. */
export async function insertReply(
  tx: Db,
  { appId, replyId }: { appId: string; replyId: string },
  { shortcut, text }: ReplyContent,
  saver: ReplySaver,
  now: number,
): Promise<void> {
  await tx
    .insertInto("canned_replies")
    .values({ reply_id: replyId, app_id: appId, text, ...columnsOf(shortcut, saver), updated_at: now })
    .execute();
}

/** Replaces a reply of the application; its shortcut must be free. */
export async function replaceReply(
  tx: Db,
  replyId: string,
  { shortcut, text }: ReplyContent,
  saver: ReplySaver,
  now: number,
): Promise<void> {
  await tx
    .updateTable("canned_replies")
    .set({ text, ...columnsOf(shortcut, saver), updated_at: now })
    .where("reply_id", "=", replyId)
    .execute();
}

/** Deletes a reply. */
export async function removeReply(tx: Db, replyId: string): Promise<void> {
  await tx.deleteFrom("canned_replies").where("reply_id", "=", replyId).execute();
}

function columnsOf(shortcut: string, { memberId, developerId }: ReplySaver) {
  return { shortcut, shortcut_key: shortcutKey(shortcut), member_id: memberId, developer_id: developerId };
}
