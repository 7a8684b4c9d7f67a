import type { VisitorErasure } from "@portico/protocol/schemas";
import type { Clock } from "../../platform/clock/clock.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import { unitsOf } from "../../platform/storage/units-of.ts";
import { emptyEntries, listEntriesAbout } from "../audit/empty-entries.ts";
import { blobKeysIn, doomFiles, doomUnsentFiles } from "../files/doom-files.ts";
import { endVisitorKey } from "./visitor-keys.ts";
import { endVisitorTokens } from "./visitor-tokens.ts";

/** Rows looked at by one query. */
const WINDOW = 500;

/** Begins the `thirdUserId` of a visitor who was erased. */
const ERASED = "erased:";
/** What an erased message says. */
const NOTHING = JSON.stringify("");

/** What an erasure needs. */
export interface ErasureParts {
  storage: Pick<Storage, "lists" | "unhurried" | "write">;
  clock: Clock;
}

/** Who is erased. */
export interface ErasedVisitor {
  appId: string;
  visitorId: string;
}

/**
 * Takes away what a visitor is known by, and all that they could act with. The row stays, since sessions refer to it. The
 * integrator's id is free again: who comes back by it is somebody new.
 *
 * @returns whether the visitor was known until now; null when the application has no such visitor.
 */
export async function forgetVisitor(tx: Db, { appId, visitorId }: ErasedVisitor): Promise<boolean | null> {
  const row = await tx
    .updateTable("visitors")
    .set((eb) => ({ status: eb.ref("status") }))
    .where("visitor_id", "=", visitorId)
    .where("app_id", "=", appId)
    .returning("third_user_id as thirdUserId")
    .executeTakeFirst();
  if (row === undefined) return null;
  await endVisitorTokens(tx, visitorId);
  await endVisitorKey(tx, visitorId);
  if (row.thirdUserId === ERASED + visitorId) return false;
  const nothing = { nickname: "", avatar: "", phone: "", email: "", extra: null };
  await tx
    .updateTable("visitors")
    .set({ ...nothing, third_user_id: ERASED + visitorId, status: 0 })
    .where("visitor_id", "=", visitorId)
    .execute();
  return true;
}

/**
 * Removes what a visitor has left: the texts of their conversation, from both sides, keep their numbers and say nothing;
 * files are removed by the next sweep. In small units of work, so that nobody waits; what was removed before a kill stays
 * removed, and the same call does the rest.
 *
 * @param erasedBy the entry of the audit log that tells of it.
 */
export async function eraseTraces(
  { storage, clock }: ErasureParts,
  { appId, visitorId }: ErasedVisitor,
  erasedBy: number,
): Promise<VisitorErasure> {
  const report = { messages: 0, sessions: 0, notes: 0, files: 0, deliveries: 0, requests: 0, auditEntries: 0 };
  const { unhurried, lists } = storage;
  for (let after = 0; ; ) {
    const rows = await messagesAfter(lists, visitorId, after);
    for (const some of unitsOf(rows)) {
      const { messages, files } = await unhurried.write((tx) => emptyMessages(tx, visitorId, some));
      report.messages += messages;
      report.files += files;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < WINDOW) break;
    after = last.seq;
  }
  report.files += await unhurried.write((tx) => doomUnsentFiles(tx, { type: "VISITOR", id: visitorId }));
  report.notes = await unhurried.write((tx) => removeNotes(tx, visitorId));
  report.sessions = await unhurried.write((tx) => emptySessions(tx, visitorId));
  report.deliveries = await removeDeliveries(storage, appId, visitorId);
  report.requests = await emptyRequests(storage, appId, visitorId);
  report.auditEntries = await emptyAudit({ storage, clock }, visitorId, erasedBy);
  return report;
}

interface MessageRow {
  messageId: number;
  seq: number;
  content: string;
}

async function messagesAfter(db: Db, visitorId: string, seq: number): Promise<MessageRow[]> {
  return await db
    .selectFrom("customer_messages")
    .select(["message_id as messageId", "seq", "content"])
    .where("visitor_id", "=", visitorId)
    .where("seq", ">", seq)
    .orderBy("seq")
    .limit(WINDOW)
    .execute();
}

async function emptyMessages(tx: Db, visitorId: string, rows: readonly MessageRow[]) {
  const full = rows.filter(({ content }) => content !== NOTHING);
  if (full.length === 0) return { messages: 0, files: 0 };
  const ids = full.map(({ messageId }) => messageId);
  await tx
    .updateTable("customer_messages")
    .set({ content: NOTHING, msg_type: "text", third_msg_id: null })
    .where("message_id", "in", ids)
    .execute();
  await tx.deleteFrom("customer_texts").where("message_id", "in", ids).execute();
  // Only the visitor's own: what agents have sent may have been sent to others too.
  const keys = blobKeysIn(full.map(({ content }) => content));
  const files = await doomFiles(tx, { type: "VISITOR", id: visitorId }, keys);
  return { messages: full.length, files };
}

async function removeNotes(tx: Db, visitorId: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("customer_notes")
    .where("visitor_id", "=", visitorId)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

async function emptySessions(tx: Db, visitorId: string): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable("customer_sessions")
    .set({ subject: "", rating_comment: null })
    .where("visitor_id", "=", visitorId)
    .where(({ or, eb }) => or([eb("subject", "<>", ""), eb("rating_comment", "is not", null)]))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Events about the visitor, sent or due. */
async function removeDeliveries({ lists, unhurried }: ErasureParts["storage"], appId: string, visitorId: string) {
  let removed = 0;
  for (let after = 0; ; ) {
    const rows = await lists
      .selectFrom("deliveries")
      .select(["delivery_id as id", "body"])
      .where("app_id", "=", appId)
      .where("delivery_id", ">", after)
      .orderBy("delivery_id")
      .limit(WINDOW)
      .execute();
    const about = rows.filter(({ body }) => body.includes(visitorId)).map(({ id }) => id);
    for (const some of unitsOf(about)) {
      await unhurried.write(async (tx) => {
        await tx.deleteFrom("deliveries").where("delivery_id", "in", some).execute();
      });
    }
    removed += about.length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < WINDOW) return removed;
    after = last.id;
  }
}

/** The request log keeps that there was a call, not what was in it. */
async function emptyRequests({ lists, unhurried }: ErasureParts["storage"], appId: string, visitorId: string) {
  let emptied = 0;
  for (let after = ""; ; ) {
    const rows = await lists
      .selectFrom("requests")
      .select(["req_no as reqNo", "path", "detail"])
      .where("app_id", "=", appId)
      .where("req_no", ">", after)
      .orderBy("req_no")
      .limit(WINDOW)
      .execute();
    const about = rows.filter(({ detail }) => detail?.includes(visitorId)).map(({ reqNo }) => reqNo);
    for (const some of unitsOf(about)) {
      await unhurried.write(async (tx) => {
        await tx.updateTable("requests").set({ detail: null }).where("req_no", "in", some).execute();
      });
    }
    emptied += about.length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < WINDOW) return emptied;
    after = last.reqNo;
  }
}

async function emptyAudit({ storage, clock }: ErasureParts, visitorId: string, erasedBy: number) {
  const target = `visitor:${visitorId}`;
  for (let emptied = 0; ; ) {
    const about = await listEntriesAbout(storage.lists, [target], erasedBy);
    if (about.length === 0) return emptied;
    for (const some of unitsOf(about)) {
      await storage.unhurried.write((tx) => emptyEntries(tx, some, { target }, clock.now()));
    }
    emptied += about.length;
  }
}
