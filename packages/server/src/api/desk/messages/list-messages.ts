import { DESK_ENDPOINTS } from "@portico/protocol/endpoints";
import { getMessagePage } from "../../../domain/customer-service/message-pages.ts";
import { lastSeqOf } from "../../../domain/customer-service/message-store.ts";
import { findReadMarks } from "../../../domain/customer-service/read-store.ts";
import { InSlices } from "../../../platform/http/in-slices.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import { agentAt, sessionAt } from "../desk-access.ts";
import { toDeskMessage } from "../desk-message.ts";
import type { DeskReadParts } from "../parts.ts";

const DEFAULT_LIMIT = 50;

/**
 * GET .../messages: all messages of the session's visitor and the agents, including earlier sessions, oldest first. For
 * a closed session up to its end, unless the call gives a position.
 */
export const listMessages: ClientRoute<typeof DESK_ENDPOINTS.listMessages, DeskReadParts> = {
  endpoint: DESK_ENDPOINTS.listMessages,
  async handle(ctx, { member, params, query, room }) {
    const { db } = ctx.storage;
    const { appId } = await agentAt(ctx, db, member, params.appId);
    const session = await sessionAt(db, appId, params.sessionId);
    const { visitorId } = session;
    const { afterSeq, beforeSeq, limit = DEFAULT_LIMIT } = query;
    const lastSeq = await lastSeqOf(db, visitorId);
    const isOfTheEnd = session.status === "CLOSED" && afterSeq === undefined && beforeSeq === undefined;
    const end = isOfTheEnd ? (session.lastSeq ?? lastSeq) : lastSeq;
    // `seq` has no gaps, so the number of messages is a difference.
    const to = Math.min((beforeSeq ?? Number.MAX_SAFE_INTEGER) - 1, end);
    const from = afterSeq === undefined ? Math.max(1, to - limit + 1) : afterSeq + 1;
    const range = { from, to, limit, fromEnd: afterSeq === undefined };
    const { slices, isOne } = await getMessagePage(ctx, room, visitorId, range, (row) => toDeskMessage(row, member));
    const marks = (await findReadMarks(db, [visitorId])).get(visitorId);
    const seqs = { lastSeq, readSeq: marks?.AGENT ?? 0, visitorReadSeq: marks?.VISITOR ?? 0 };
    return InSlices.of("items", slices, seqs, isOne);
  },
};
