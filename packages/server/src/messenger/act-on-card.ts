import { randomBytes } from "node:crypto";
import { ApiError, type CardActionBody, compactJson } from "@portico/protocol";
import { CardActionBodySchema, RecordedActionSchema } from "@portico/protocol/schemas";
import { installationStatus } from "../bot/installation-store.ts";
import { conversationIdOf } from "../conversations/conversation-key.ts";
import { integerParam } from "../http/path-params.ts";
import { findCardMessage, insertCardAction } from "./card-action-store.ts";
import type { ClientRoute } from "./client-route.ts";
import { findConversation, readConversationId } from "./conversation-access.ts";

/**
 * POST /api/client/v1/messages/{messageId}/actions: a member acts on a card (design, section 10). What the member's
 * client says of the component is recorded as it says it, not held against the card: that may have been updated since.
 */
export const actOnCard: ClientRoute<typeof CardActionBodySchema, never, typeof RecordedActionSchema> = {
  method: "POST",
  url: "/api/client/v1/messages/:messageId/actions",
  summary: "Act on a card: press a button, choose an option, submit a form",
  body: CardActionBodySchema,
  value: RecordedActionSchema,
  handle(ctx, { member, params, body }) {
    const messageId = integerParam(params, "messageId");
    return ctx.storage.write(async (tx) => {
      const message = await findCardMessage(tx, messageId);
      if (message === null) throw notYours();
      const named = readConversationId(member, conversationIdOf(message.conversationKey));
      if (named.conversationKey !== message.conversationKey) throw notYours();
      if ((await findConversation(tx, member, named)) === null) throw notYours();
      if (message.msgType !== "card" || message.senderType !== "BOT") {
        throw new ApiError("INVALID_REQUEST", "卡片消息不存在");
      }
      if (message.recalled) throw new ApiError("FORBIDDEN", "卡片已被撤回");
      const [targetType, targetId] =
        named.kind === "group" ? ["GROUP" as const, named.id] : ["USER" as const, member.userId];
      if ((await installationStatus(tx, message.senderId, targetType, targetId)) !== "ACTIVE") {
        throw new ApiError("FORBIDDEN", "机器人已从该会话卸载");
      }
      const actionId = `act_${randomBytes(16).toString("base64url")}`;
      await insertCardAction(tx, {
        actionId,
        messageId,
        cardVersion: message.cardVersion ?? 1,
        userId: member.userId,
        action: actionOf(body),
        now: ctx.clock.now(),
      });
      return { actionId };
    });
  },
};

function actionOf({ tag, name, value, option, formValue }: CardActionBody): string {
  return compactJson({
    tag,
    name: name ?? null,
    value: value ?? null,
    option: option ?? null,
    formValue: formValue ?? null,
  });
}

/** The answer does not tell a message of a foreign conversation from none. */
function notYours(): ApiError {
  return new ApiError("FORBIDDEN", "消息不存在或无权访问");
}
