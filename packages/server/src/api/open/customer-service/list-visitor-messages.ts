import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import { getAllMessages } from "../../../domain/customer-service/message-pages.ts";
import { lastSeqOf, toMessage } from "../../../domain/customer-service/message-store.ts";
import { namesNoSession, sessionIdOf } from "../../../domain/customer-service/session-id.ts";
import { findSession } from "../../../domain/customer-service/session-store.ts";
import { findVisitor } from "../../../domain/customer-service/visitor-store.ts";
import { InSlices } from "../../../platform/http/in-slices.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { SlicedParts } from "../../common/parts.ts";
import type { OpenRoute } from "../gate/open-route.ts";

const DEFAULT_PAGE_SIZE = 20;

/**
 * GET /api/open/v1/message/list: a visitor's messages, oldest first. `seq` has no gaps, so the position of a page is
 * computed, and the last page costs as much as the first. A page has its full number of messages, however large: it is
 * read while the answer is written.
 */
export const listVisitorMessages: OpenRoute<typeof OPEN_ENDPOINTS.listVisitorMessages, SlicedParts> = {
  endpoint: OPEN_ENDPOINTS.listVisitorMessages,
  async handle(ctx, db, { app, query, room }) {
    const { visitorId, sessionId, afterSeq = 0, page = 1, pageSize = DEFAULT_PAGE_SIZE } = query;
    const range = await rangeOf(db, { appId: app.appId, visitorId, sessionId });
    const first = Math.max(range.first, afterSeq + 1);
    const total = Math.max(0, range.last - first + 1);
    const from = first + (page - 1) * pageSize;
    const to = Math.min(range.last, from + pageSize - 1);
    const { slices, isOne } = await getAllMessages(ctx, room, visitorId, { from, to }, toMessage);
    return InSlices.of("records", slices, { total }, isOne);
  },
};

const NOTHING = { first: 1, last: 0 };

/** The requested range of messages: all, or those of a session, which are consecutive. */
async function rangeOf(
  db: Db,
  { appId, visitorId, sessionId }: { appId: string; visitorId: string; sessionId?: string },
): Promise<{ first: number; last: number }> {
  if ((await findVisitor(db, appId, visitorId)) === null) return NOTHING;
  if (namesNoSession(sessionId)) return { first: 1, last: await lastSeqOf(db, visitorId) };
  const id = sessionIdOf(sessionId);
  const session = id === null ? null : await findSession(db, appId, id);
  if (session === null || session.visitorId !== visitorId) return NOTHING;
  const { firstSeq, lastSeq } = session;
  return firstSeq === null || lastSeq === null ? NOTHING : { first: firstSeq, last: lastSeq };
}
