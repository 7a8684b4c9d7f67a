import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import { mayClaimFiles } from "../../../domain/conversations/files-of-content.ts";
import { findConversationOfDelivered } from "../../../domain/conversations/recipient-store.ts";
import { brokenRule } from "../../../platform/errors/refusal.ts";
import { integerParam } from "../../../platform/http/path-params.ts";
import type { OpenRoute } from "../gate/open-route.ts";
import type { SendParts } from "../parts.ts";
import { conversationOf, sendOnce } from "./send-message.ts";

/**
 * POST /api/open/v2/bot/messages/{messageId}/reply (docs/contract/messages.md#reply). Order: schema, repeat, parent,
 * then as a send.
 */
export const replyMessage: OpenRoute<typeof OPEN_ENDPOINTS.replyMessage, SendParts> = {
  endpoint: OPEN_ENDPOINTS.replyMessage,
  stores: true,
  lane: ({ app, body }) => conversationOf(app.appId, body),
  inStep: ({ body, rawBody }) => !mayClaimFiles(body, rawBody),
  // Unless it claims files, it changes nothing before the message.
  undoesItself: ({ body, rawBody }) => !mayClaimFiles(body, rawBody),
  handle(ctx, tx, call) {
    const { app, body } = call;
    const messageId = integerParam(call.params, "messageId");
    const check = async () => {
      const conversationKey = await findConversationOfDelivered(tx, app.appId, messageId);
      if (conversationKey === null) throw brokenRule("message-not-delivered");
      if (conversationKey !== conversationOf(app.appId, body)) {
        throw brokenRule("reply-target", { pointer: "/receiveId" });
      }
    };
    return sendOnce(ctx, tx, call, { messageId, check });
  },
};
