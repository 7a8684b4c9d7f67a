import { WIDGET_ENDPOINTS } from "@portico/protocol/endpoints";
import { getMessagePage } from "../../domain/customer-service/message-pages.ts";
import { lastSeqOf } from "../../domain/customer-service/message-store.ts";
import { findReadMarks } from "../../domain/customer-service/read-store.ts";
import { InSlices } from "../../platform/http/in-slices.ts";
import type { SlicedParts } from "../common/parts.ts";
import { toWidgetMessage } from "./widget-message.ts";
import type { WidgetRoute } from "./widget-route.ts";

const DEFAULT_LIMIT = 50;

/** GET /api/widget/v1/messages: the visitor's messages, including those of closed sessions, oldest first. */
export const listMessages: WidgetRoute<typeof WIDGET_ENDPOINTS.listMessages, SlicedParts> = {
  endpoint: WIDGET_ENDPOINTS.listMessages,
  async handle(ctx, { visitor: { visitorId }, query, room }) {
    const { db } = ctx.storage;
    const { afterSeq, beforeSeq = Number.MAX_SAFE_INTEGER, limit = DEFAULT_LIMIT } = query;
    const lastSeq = await lastSeqOf(db, visitorId);
    // `seq` has no gaps, so the number of messages is a difference.
    const to = Math.min(beforeSeq - 1, lastSeq);
    const from = afterSeq === undefined ? Math.max(1, to - limit + 1) : afterSeq + 1;
    const range = { from, to, limit, fromEnd: afterSeq === undefined };
    const { slices, isOne } = await getMessagePage(ctx, room, visitorId, range, toWidgetMessage);
    const marks = (await findReadMarks(db, [visitorId])).get(visitorId);
    const seqs = { lastSeq, readSeq: marks?.VISITOR ?? 0, agentReadSeq: marks?.AGENT ?? 0 };
    return InSlices.of("items", slices, seqs, isOne);
  },
};
