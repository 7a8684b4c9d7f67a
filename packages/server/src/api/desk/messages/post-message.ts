import { ApiError } from "@portico/protocol";
import { DESK_ENDPOINTS } from "@portico/protocol/endpoints";
import { atDesk } from "../../../domain/customer-service/at-desk.ts";
import { thirdMsgIdOf } from "../../../domain/customer-service/client-message-id.ts";
import type { Desk } from "../../../domain/customer-service/desk.ts";
import { parseContent, storeContent } from "../../../domain/customer-service/message-content.ts";
import { visitorKey } from "../../../domain/customer-service/message-store.ts";
import { requireEnabledVisitor } from "../../../domain/customer-service/require.ts";
import { findDuplicate, storeMessage, toSentMessage } from "../../../domain/customer-service/store-message.ts";
import type { AttachmentParts } from "../../../domain/files/attachment.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import { agentAt, notOwn, sessionAt } from "../desk-access.ts";
import type { DeskWorkParts } from "../parts.ts";

/**
 * POST .../messages: the session's agent sends a message to the visitor, once for each clientMessageId. Content is as
 * in the open API; files are the member's own uploads.
 */
export const postMessage: ClientRoute<typeof DESK_ENDPOINTS.postMessage, DeskWorkParts & AttachmentParts> = {
  endpoint: DESK_ENDPOINTS.postMessage,
  stores: true,
  async handle(ctx, { member, params, body }) {
    const { userId } = member;
    const parsed = parseContent(body);
    const { appId } = await agentAt(ctx, ctx.storage.db, member, params.appId);
    const { visitorId } = await sessionAt(ctx.storage.db, appId, params.sessionId);
    const given = body.clientMessageId ?? null;
    const thirdMsgId = given === null ? null : thirdMsgIdOf({ at: "desk", id: userId }, given);
    const work = async (desk: Desk, tx: Db) => {
      const now = ctx.clock.now();
      const sender = { type: "AGENT", userId } as const;
      const original = await findDuplicate(tx, { appId, sender, thirdMsgId });
      if (original !== null) return toSentMessage(original, true);
      const session = await sessionAt(tx, appId, params.sessionId);
      if (session.status === "CLOSED") throw new ApiError("SESSION_CLOSED");
      if (session.agentUserId !== userId) throw notOwn();
      await requireEnabledVisitor(tx, appId, visitorId);
      const content = await storeContent(ctx, tx, parsed, [{ type: "MEMBER", id: userId }], now);
      const { msgType } = parsed;
      const message = { appId, visitorId, sender, session, thirdMsgId, msgType, content, now };
      return toSentMessage(await storeMessage(tx, desk, message), false);
    };
    return await atDesk(ctx, appId, work, visitorKey(visitorId));
  },
};
