import { ApiError, type Member, type PostedMessage } from "@portico/protocol";
import { PostedMessageSchema, PostMessageBodySchema } from "@portico/protocol/schemas";
import { readMentions, resolveMentions } from "../conversations/mentions.ts";
import { readMessageType, readTextContent } from "../conversations/message-content.ts";
import { appendMessage, findByClientMessageId } from "../conversations/message-store.ts";
import type { ClientRoute } from "./client-route.ts";
import { openConversation, readConversationId } from "./conversation-access.ts";

/** POST /api/client/v1/conversations/{id}/messages: a member says something (design, section 10). */
export const postMessage: ClientRoute<typeof PostMessageBodySchema, never, typeof PostedMessageSchema> = {
  method: "POST",
  url: "/api/client/v1/conversations/:conversationId/messages",
  summary: "Post a message to a conversation",
  body: PostMessageBodySchema,
  value: PostedMessageSchema,
  handle(ctx, { member, params, body }) {
    const named = readConversationId(member, params.conversationId ?? "");
    return ctx.storage.write(async (tx): Promise<PostedMessage> => {
      const msgType = readMessageType(body.msgType);
      const clientMessageId = body.clientMessageId ?? null;
      const sender = senderOf(member);
      const original = clientMessageId === null ? null : await findByClientMessageId(tx, sender, clientMessageId);
      if (original !== null) return original;

      const { conversationKey, writable } = await openConversation(tx, member, named);
      if (!writable) throw new ApiError("FORBIDDEN", "机器人已从该会话卸载");
      const content = readTextContent(body.content);
      const mentions = await resolveMentions(tx, member.tenantId, readMentions(body.content));
      return appendMessage(tx, {
        conversationKey,
        sender,
        clientMessageId,
        msgType,
        content: JSON.stringify(content),
        mentions: JSON.stringify(mentions),
        now: ctx.clock.now(),
      });
    }, named.conversationKey);
  },
};

function senderOf(member: Member) {
  return { type: "MEMBER", id: member.userId } as const;
}
