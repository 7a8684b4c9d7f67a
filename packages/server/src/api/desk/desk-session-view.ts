import type { DeskSession, Member } from "@portico/protocol";
import { lastMessagesOf, measureLastMessages } from "../../domain/customer-service/message-store.ts";
import { findReadMarks } from "../../domain/customer-service/read-store.ts";
import type { SessionRow } from "../../domain/customer-service/session-store.ts";
import { toSession } from "../../domain/customer-service/session-view.ts";
import { findVisitors, toVisitor } from "../../domain/customer-service/visitor-store.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { toDeskMessage } from "./desk-message.ts";

/** The approximate size of a session without its last message; a visitor's data may be up to 11 KiB. */
const MAX_OTHER_BYTES = 1_024;

/** Measures sessions as an agent sees them, in bytes, without reading their messages. */
export async function measureDeskSessions(
  db: Db,
  rows: readonly SessionRow[],
): Promise<(row: Pick<SessionRow, "visitorId">) => number> {
  const lengths = await measureLastMessages(db, [...new Set(rows.map(({ visitorId }) => visitorId))]);
  return ({ visitorId }) => (lengths.get(visitorId) ?? 0) + MAX_OTHER_BYTES;
}

/** A session as an agent sees it. */
export async function toDeskSession(
  db: Db,
  member: Pick<Member, "userId">,
  row: SessionRow,
  now: number,
): Promise<DeskSession> {
  const [shown] = await toDeskSessions(db, member, [row], now);
  if (shown === undefined) throw new Error("a session is not shown");
  return shown;
}

/** Sessions as an agent sees them: with visitor, unread count and last message. */
export async function toDeskSessions(
  db: Db,
  member: Pick<Member, "userId">,
  rows: readonly SessionRow[],
  now: number,
): Promise<DeskSession[]> {
  const visitorIds = [...new Set(rows.map(({ visitorId }) => visitorId))];
  const visitors = await findVisitors(db, visitorIds);
  const marks = await findReadMarks(db, visitorIds);
  const lastMessages = await lastMessagesOf(db, visitorIds);
  const shown: DeskSession[] = [];
  for (const row of rows) {
    const { visitorId } = row;
    const visitor = visitors.get(visitorId);
    if (visitor === undefined) throw new Error("a session's visitor is not there");
    const lastMessage = lastMessages.get(visitorId);
    shown.push({
      ...(await toSession(db, row)),
      queuedAt: row.waitingSince,
      visitor: toVisitor(visitor, now),
      lastMessage: lastMessage === undefined ? null : toDeskMessage(lastMessage, member),
      lastSeq: lastMessage?.seq ?? 0,
      readSeq: marks.get(visitorId)?.AGENT ?? 0,
      visitorReadSeq: marks.get(visitorId)?.VISITOR ?? 0,
    });
  }
  return shown;
}
