import { ApiError, type SendMessageBody, type SentMessage, TARGET_TYPE_BY_RECEIVE_ID_TYPE } from "@portico/protocol";
import { SendMessageBodySchema, SentMessageSchema } from "@portico/protocol/schemas";
import { directKey, groupKey } from "../conversations/conversation-key.ts";
import { readMentions, resolveMentions } from "../conversations/mentions.ts";
import { readMessageType, readTextContent } from "../conversations/message-content.ts";
import { appendMessage, findByClientMessageId } from "../conversations/message-store.ts";
import type { OpenRoute } from "../gate/open-route.ts";
import { installationStatus } from "./installation-store.ts";

/** POST /api/open/v2/bot/messages (spec.md, "Bot V2"). Order: schema, repeat, installation, content. */
export const sendMessage: OpenRoute<typeof SendMessageBodySchema, never, typeof SentMessageSchema> = {
  method: "POST",
  url: "/api/open/v2/bot/messages",
  summary: "Send a message to a conversation the bot is installed in",
  scope: "bot.message.send",
  body: SendMessageBodySchema,
  value: SentMessageSchema,
  lane: ({ app, body }) => conversationOf(app.appId, body),
  async handle(_ctx, db, { app, body, now }): Promise<SentMessage> {
    const { receiveIdType, receiveId } = body;
    const msgType = readMessageType(body.msgType);
    const clientMessageId = body.clientMessageId ?? null;
    const sender = { type: "BOT", id: app.appId } as const;

    const targetType = TARGET_TYPE_BY_RECEIVE_ID_TYPE[receiveIdType];
    const [original, status] = await Promise.all([
      clientMessageId === null ? null : findByClientMessageId(db, sender, clientMessageId),
      installationStatus(db, app.appId, targetType, receiveId),
    ]);
    if (original !== null) return { ...original, clientMessageId, duplicate: true };
    if (status !== "ACTIVE") throw new ApiError("FORBIDDEN", "机器人未安装到目标会话");
    const content = readTextContent(body.content);
    const mentions = await resolveMentions(db, app.tenantId, readMentions(body.content));
    const place = await appendMessage(db, {
      conversationKey: conversationOf(app.appId, body),
      sender,
      clientMessageId,
      msgType,
      content: JSON.stringify(content),
      mentions: JSON.stringify(mentions),
      now,
    });
    return { ...place, clientMessageId, duplicate: false };
  },
};

function conversationOf(appId: string, { receiveIdType, receiveId }: SendMessageBody): string {
  return receiveIdType === "group_id" ? groupKey(receiveId) : directKey(appId, receiveId);
}
