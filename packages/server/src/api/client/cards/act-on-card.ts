import { randomBytes } from "node:crypto";
import { ApiError, type CardActionBody } from "@portico/protocol";
import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { memberText } from "@portico/protocol/json-member";
import { installationStatus } from "../../../domain/applications/installations/installation-store.ts";
import { findCardMessage, insertCardAction } from "../../../domain/cards/card-action-store.ts";
import { findConversation, parseConversationId } from "../../../domain/conversations/conversation-access.ts";
import { conversationIdOf } from "../../../domain/conversations/conversation-key.ts";
import { cardInteraction } from "../../../domain/webhooks/event-payloads.ts";
import { emit } from "../../../domain/webhooks/outbox.ts";
import { integerParam } from "../../../platform/http/path-params.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import type { EventParts } from "../../common/parts.ts";

/**
 * POST /api/client/v1/messages/{messageId}/actions: a member acts on a card. The client's data about the component is
 * recorded as received and not compared with the card, which may have been updated since.
 */
export const actOnCard: ClientRoute<typeof CLIENT_ENDPOINTS.actOnCard, EventParts> = {
  endpoint: CLIENT_ENDPOINTS.actOnCard,
  stores: true,
  async handle(ctx, { member, params, body, rawBody }) {
    const messageId = integerParam(params, "messageId");
    const { actionId, listener } = await ctx.storage.write(async (tx) => {
      const now = ctx.clock.now();
      const message = await findCardMessage(tx, messageId);
      if (message === null) throw notYours();
      const named = parseConversationId(member, conversationIdOf(message.conversationKey));
      if (named.conversationKey !== message.conversationKey) throw notYours();
      if ((await findConversation(tx, member, named)) === null) throw notYours();
      if (message.msgType !== "card" || message.senderType !== "BOT") {
        throw new ApiError("NOT_A_CARD_MESSAGE");
      }
      if (message.recalled) throw new ApiError("CARD_RECALLED");
      const [targetType, targetId] =
        named.kind === "group" ? ["GROUP" as const, named.id] : ["USER" as const, member.userId];
      if ((await installationStatus(tx, message.senderId, targetType, targetId)) !== "ACTIVE") {
        throw new ApiError("BOT_REMOVED");
      }
      const actionId = `act_${randomBytes(16).toString("base64url")}`;
      const cardVersion = message.cardVersion ?? 1;
      const action = actionOf(body, rawBody);
      const payload = cardInteraction(member, named, { messageId, cardVersion }, action);
      await insertCardAction(tx, { actionId, messageId, cardVersion, userId: member.userId, action, now });
      const { senderId: appId } = message;
      const dueNow = ctx.webhooks.dueNow();
      const { conversationKey: conversation } = message;
      const event = { eventType: "card.interaction" as const, appId, payload, now, dueNow, conversation };
      const isDue = await emit(tx, event);
      return { actionId, listener: isDue ? appId : null };
    });
    if (listener !== null) ctx.webhooks.due(listener);
    return { actionId };
  },
};

/** The action to store: JSON text, its values as they were received. */
function actionOf({ tag, name, timeZone }: CardActionBody, rawBody: Buffer): string {
  const raw = rawBody.toString("utf8");
  const textOf = (member: "value" | "option" | "formValue") => memberText(raw, member) ?? "null";
  const head = JSON.stringify({ tag, name: name ?? null }).slice(0, -1);
  const zone = timeZone === undefined ? "" : `,"timeZone":${JSON.stringify(timeZone)}`;
  return `${head},"value":${textOf("value")},"option":${textOf("option")},"formValue":${textOf("formValue")}${zone}}`;
}

/** The same answer for a message of a foreign conversation and for an unknown one. */
function notYours(): ApiError {
  return new ApiError("MESSAGE_UNREACHABLE");
}
