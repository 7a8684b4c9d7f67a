import type { VisitorExport } from "@portico/protocol/schemas";
import { JsonText } from "../../platform/http/json-text.ts";
import type { Db } from "../../platform/storage/schema.ts";

/** Records of a page. */
const PAGE = 200;

type Kind = VisitorExport["items"][number]["kind"];

/** A record with its place among those of its kind. */
interface Placed {
  place: number;
  record: Record<string, unknown>;
}

type Read = (db: Db, visitorId: string, after: number, limit: number) => Promise<Placed[]>;

/** What is stored about a visitor, in the order in which it is told. Files are named by the messages that have them. */
const KINDS: readonly [Kind, Read][] = [
  ["visitor", readProfile],
  ["session", readSessions],
  ["message", readMessages],
  ["note", readNotes],
];

/**
 * A page of all that is stored about a visitor.
 *
 * @param cursor `nextCursor` of the page before; absent for the first.
 */
export async function exportVisitor(db: Db, visitorId: string, cursor: string | undefined): Promise<VisitorExport> {
  const [, from = "visitor", place = "0"] = cursor?.match(/^([a-z]+):(\d+)$/) ?? [];
  const start = KINDS.findIndex(([kind]) => kind === from);
  const items: VisitorExport["items"] = [];
  let last = Number(place);
  for (const [kind, read] of KINDS.slice(Math.max(start, 0))) {
    const limit = PAGE - items.length;
    const rows = await read(db, visitorId, last, limit);
    items.push(...rows.map(({ record }) => ({ kind, record })));
    if (rows.length === limit) return { items, nextCursor: `${kind}:${rows.at(-1)?.place ?? 0}` };
    last = 0;
  }
  return { items, nextCursor: null };
}

async function readProfile(db: Db, visitorId: string, after: number): Promise<Placed[]> {
  if (after > 0) return [];
  const row = await db.selectFrom("visitors").selectAll().where("visitor_id", "=", visitorId).executeTakeFirst();
  if (row === undefined) return [];
  return [{ place: 1, record: { ...row, extra: row.extra === null ? null : new JsonText(row.extra) } }];
}

async function readSessions(db: Db, visitorId: string, after: number, limit: number): Promise<Placed[]> {
  const rows = await db
    .selectFrom("customer_sessions")
    .selectAll()
    .where("visitor_id", "=", visitorId)
    .where("session_id", ">", after)
    .orderBy("session_id")
    .limit(limit)
    .execute();
  return rows.map((record) => ({ place: record.session_id, record }));
}

async function readMessages(db: Db, visitorId: string, after: number, limit: number): Promise<Placed[]> {
  const rows = await db
    .selectFrom("customer_messages")
    .selectAll()
    .where("visitor_id", "=", visitorId)
    .where("seq", ">", after)
    .orderBy("seq")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ place: row.seq, record: { ...row, content: new JsonText(row.content) } }));
}

async function readNotes(db: Db, visitorId: string, after: number, limit: number): Promise<Placed[]> {
  const rows = await db
    .selectFrom("customer_notes")
    .selectAll()
    .where("visitor_id", "=", visitorId)
    .where("note_id", ">", after)
    .orderBy("note_id")
    .limit(limit)
    .execute();
  return rows.map((record) => ({ place: record.note_id, record }));
}
