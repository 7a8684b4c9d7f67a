import type { VisitorExport } from "@portico/protocol/schemas";
import { JsonText } from "../../platform/http/json-text.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { byNumber, type ExportPage, exportPage, type ReadRecords } from "../persons/export-pages.ts";

type Kind = VisitorExport["items"][number]["kind"];

/** What is stored about a visitor, in the order in which it is told. Files are named by the messages that have them. */
const KINDS: readonly (readonly [Kind, ReadRecords<string>])[] = [
  ["visitor", readProfile],
  ["session", readSessions],
  ["message", readMessages],
  ["note", readNotes],
];

/**
 * A page of all that is stored about a visitor.
 *
 * @param place `next` of the page before; empty for the first.
 */
export async function exportVisitor(db: Db, visitorId: string, place: string): Promise<ExportPage<Kind>> {
  return await exportPage(db, KINDS, visitorId, place);
}

async function readProfile(db: Db, visitorId: string) {
  const row = await db.selectFrom("visitors").selectAll().where("visitor_id", "=", visitorId).executeTakeFirst();
  if (row === undefined) return { records: [], next: null };
  return { records: [{ ...row, extra: row.extra === null ? null : new JsonText(row.extra) }], next: null };
}

async function readSessions(db: Db, visitorId: string, after: string, limit: number) {
  const rows = await db
    .selectFrom("customer_sessions")
    .selectAll()
    .where("visitor_id", "=", visitorId)
    .where("session_id", ">", Number(after))
    .orderBy("session_id")
    .limit(limit)
    .execute();
  return byNumber(rows, limit, { numberOf: ({ session_id }) => session_id });
}

async function readMessages(db: Db, visitorId: string, after: string, limit: number) {
  const rows = await db
    .selectFrom("customer_messages")
    .selectAll()
    .where("visitor_id", "=", visitorId)
    .where("seq", ">", Number(after))
    .orderBy("seq")
    .limit(limit)
    .execute();
  return byNumber(rows, limit, {
    numberOf: ({ seq }) => seq,
    recordOf: (row) => ({ ...row, content: new JsonText(row.content) }),
  });
}

async function readNotes(db: Db, visitorId: string, after: string, limit: number) {
  const rows = await db
    .selectFrom("customer_notes")
    .selectAll()
    .where("visitor_id", "=", visitorId)
    .where("note_id", ">", Number(after))
    .orderBy("note_id")
    .limit(limit)
    .execute();
  return byNumber(rows, limit, { numberOf: ({ note_id }) => note_id });
}
