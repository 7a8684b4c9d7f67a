import { ApiError, type SentCustomerMessage } from "@portico/protocol";
import { WIDGET_ENDPOINTS } from "@portico/protocol/endpoints";
import { atDesk, deskLane } from "../../domain/customer-service/at-desk.ts";
import { thirdMsgIdOf } from "../../domain/customer-service/client-message-id.ts";
import type { Desk } from "../../domain/customer-service/desk.ts";
import { parseContent, storeContent } from "../../domain/customer-service/message-content.ts";
import { visitorKey } from "../../domain/customer-service/message-store.ts";
import { findOpenSession } from "../../domain/customer-service/session-store.ts";
import { findDuplicate, storeMessage, toSentMessage } from "../../domain/customer-service/store-message.ts";
import { findVisitor } from "../../domain/customer-service/visitor-store.ts";
import { RateLimiter } from "../../platform/limits/rate-limiter.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { VisitorTalkParts } from "./parts.ts";
import { filesOf } from "./upload-file.ts";
import type { WidgetRoute } from "./widget-route.ts";

/** The `source` of sessions opened by a widget. */
const WIDGET_SOURCE = "widget";

/** The most messages of all visitors per second, in this process: their tokens are in pages that anybody may open. */
const MESSAGES_PER_SECOND = 500;

/** POST /api/widget/v1/messages: the visitor sends a message, once for each clientMessageId. */
export function postMessage(): WidgetRoute<typeof WIDGET_ENDPOINTS.postMessage, VisitorTalkParts> {
  const rate = new RateLimiter(MESSAGES_PER_SECOND);
  return {
    endpoint: WIDGET_ENDPOINTS.postMessage,
    stores: true,
    async handle(ctx, { visitor, body }): Promise<SentCustomerMessage> {
      const { appId, visitorId } = visitor;
      if (!rate.pass(ctx.clock.now())) {
        throw new ApiError("MESSAGES_TOO_FREQUENT", { retryAfterSeconds: 1 });
      }
      const parsed = parseContent(body);
      const { msgType } = parsed;
      const { clientMessageId = null } = body;
      const thirdMsgId =
        clientMessageId === null ? null : thirdMsgIdOf({ at: "widget", id: visitorId }, clientMessageId);
      const sender = { type: "VISITOR" } as const;
      const isOpen = (await findOpenSession(ctx.storage.db, visitorId)) !== null;
      const lane = isOpen ? visitorKey(visitorId) : deskLane(appId);
      const work = async (desk: Desk, tx: Db) => {
        const original = await findDuplicate(tx, { appId, sender, thirdMsgId });
        if (original !== null) return toSentMessage(original, true);
        // The visitor may have been disabled since the call was admitted.
        if ((await findVisitor(tx, appId, visitorId))?.status !== 1) throw new ApiError("UNAUTHENTICATED");
        const session =
          (await findOpenSession(tx, visitorId)) ??
          (await desk.open(visitorId, { source: WIDGET_SOURCE, subject: "" })).session;
        const now = ctx.clock.now();
        const content = await storeContent(ctx, tx, parsed, [filesOf(visitor)], now);
        return toSentMessage(
          await storeMessage(tx, desk, { appId, visitorId, sender, session, thirdMsgId, msgType, content, now }),
          false,
        );
      };
      return await atDesk(ctx, appId, work, lane);
    },
  };
}
