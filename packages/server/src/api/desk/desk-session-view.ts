import type { DeskSession, Member } from "@portico/protocol";
import { lastMessagesOf } from "../../domain/customer-service/message-store.ts";
import { findReadMarks } from "../../domain/customer-service/read-store.ts";
import type { SessionRow } from "../../domain/customer-service/session-store.ts";
import { toSession } from "../../domain/customer-service/session-view.ts";
import { findVisitors, toVisitor } from "../../domain/customer-service/visitor-store.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { toDeskMessage } from "./desk-message.ts";

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
      visitor: toVisitor(visitor, now),
      lastMessage: lastMessage === undefined ? null : toDeskMessage(lastMessage, member),
      lastSeq: lastMessage?.seq ?? 0,
      readSeq: marks.get(visitorId)?.AGENT ?? 0,
      visitorReadSeq: marks.get(visitorId)?.VISITOR ?? 0,
    });
  }
  return shown;
}
