import { randomBytes } from "node:crypto";
import { type CannedReply, DESK_BOUNDS } from "@portico/protocol";
import type { Db } from "../../platform/storage/schema.ts";
import { lockApp } from "../applications/locked-app.ts";
import type { Change } from "../audit/audit-store.ts";
import {
  countReplies,
  findReply,
  insertReply,
  isTaken,
  type ReplyContent,
  type ReplySaver,
  removeReply,
  replaceReply,
} from "./canned-reply-store.ts";

/** Why a reply was not changed: there is none, its shortcut is another's, there are too many, or too much text. */
export type ReplyRefusal = "unknown" | "taken" | "too many" | "too long";

/** Who changes an application's replies, and what notes it. */
export interface ReplyEditing {
  appId: string;
  tenantId: string | null;
  saver: ReplySaver;
  now: number;
  audit(tx: Db, change: Change): Promise<void>;
}

const ID_BYTES = 12;
const MAX_BYTES = DESK_BOUNDS.cannedRepliesKib * 1_024;

/** Stores a new reply. */
export async function createReply(
  tx: Db,
  editing: ReplyEditing,
  content: ReplyContent,
): Promise<CannedReply | Exclude<ReplyRefusal, "unknown">> {
  const { appId, saver, now } = editing;
  // The lock prevents concurrent changes while replies are counted and compared.
  await lockApp(tx, appId);
  const { total, bytes } = await countReplies(tx, appId);
  if (total >= DESK_BOUNDS.cannedReplies) return "too many";
  if (bytes + Buffer.byteLength(content.text) > MAX_BYTES) return "too long";
  const replyId = `cr_${randomBytes(ID_BYTES).toString("base64url")}`;
  if (await isTaken(tx, appId, content.shortcut, replyId)) return "taken";
  await insertReply(tx, { appId, replyId }, content, saver, now);
  await note(tx, editing, { action: "canned-reply.create", replyId, before: null, after: content });
  return await stored(tx, appId, replyId);
}

/** Changes a reply; what is left out stays as it is. */
export async function updateReply(
  tx: Db,
  editing: ReplyEditing,
  replyId: string,
  change: Partial<ReplyContent>,
): Promise<CannedReply | Exclude<ReplyRefusal, "too many">> {
  const { appId, saver, now } = editing;
  await lockApp(tx, appId);
  const known = await findReply(tx, appId, replyId);
  if (known === null) return "unknown";
  const before = { shortcut: known.shortcut, text: known.text };
  const after = { shortcut: change.shortcut ?? before.shortcut, text: change.text ?? before.text };
  if (after.shortcut === before.shortcut && after.text === before.text) return known;
  if (await isTaken(tx, appId, after.shortcut, replyId)) return "taken";
  const grown = Buffer.byteLength(after.text) - Buffer.byteLength(before.text);
  if (grown > 0 && (await countReplies(tx, appId)).bytes + grown > MAX_BYTES) return "too long";
  await replaceReply(tx, replyId, after, saver, now);
  await note(tx, editing, { action: "canned-reply.update", replyId, before, after });
  return await stored(tx, appId, replyId);
}

/** Deletes a reply, and returns it as it was. */
export async function deleteReply(tx: Db, editing: ReplyEditing, replyId: string): Promise<CannedReply | "unknown"> {
  const { appId } = editing;
  await lockApp(tx, appId);
  const known = await findReply(tx, appId, replyId);
  if (known === null) return "unknown";
  await removeReply(tx, replyId);
  const before = { shortcut: known.shortcut, text: known.text };
  await note(tx, editing, { action: "canned-reply.delete", replyId, before, after: null });
  return known;
}

async function note(
  tx: Db,
  { appId, tenantId, audit }: ReplyEditing,
  { replyId, ...change }: Pick<Change, "action" | "before" | "after"> & { replyId: string },
): Promise<void> {
  await audit(tx, { ...change, target: `canned-reply:${replyId}`, appId, tenantId });
}

async function stored(tx: Db, appId: string, replyId: string): Promise<CannedReply> {
  const reply = await findReply(tx, appId, replyId);
  if (reply === null) throw new Error("what was just saved is not there");
  return reply;
}
