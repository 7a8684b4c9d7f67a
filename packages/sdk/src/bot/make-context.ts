import type { SentMessage } from "../answers.ts";
import type { Card } from "../cards/card.ts";
import type { PorticoClient } from "../client.ts";
import type { OutgoingMessage } from "../messages.ts";
import type { WebhookEvent, WebhookEventByType } from "../webhook/events.ts";
import { commandIn } from "./command-in.ts";
import type { AnyContext, CardActionContext, EventContext, MessageContext, Saying } from "./contexts.ts";

/** The context of an event, with the methods that its type has. */
export function contextOf(event: WebhookEvent, client: PorticoClient): AnyContext {
  const base = { client, state: {} };
  if (event.eventType === "im.message.receive_v1") return messageContext({ ...base, event });
  if (event.eventType === "card.interaction") return cardActionContext({ ...base, event });
  return { ...base, event };
}

function messageContext(base: EventContext<WebhookEventByType["im.message.receive_v1"]>): MessageContext {
  const { event, client } = base;
  const { message, sender } = event;
  const { messageId, receiveIdType, chatId } = message;
  const nextKey = keysOf(event);
  const target = { receiveIdType, receiveId: chatId };
  const text = textOf(message.content);
  return {
    ...base,
    message,
    sender,
    text,
    command: commandIn(text, message.mentions, event.appId),
    reply: (saying) => client.bot.reply({ messageId, ...target, ...messageOf(saying), clientMessageId: nextKey() }),
    send: (saying) => client.bot.sendMessage({ ...target, ...messageOf(saying), clientMessageId: nextKey() }),
  };
}

function cardActionContext(base: EventContext<WebhookEventByType["card.interaction"]>): CardActionContext {
  const { event, client } = base;
  const { message, action, operator } = event;
  const { messageId, receiveIdType, chatId } = message;
  const nextKey = keysOf(event);
  return {
    ...base,
    message,
    action,
    operator,
    updateCard: (card: Card): Promise<SentMessage> => client.bot.updateCard({ messageId, card }),
    send: (saying) =>
      client.bot.sendMessage({ receiveIdType, receiveId: chatId, ...messageOf(saying), clientMessageId: nextKey() }),
  };
}

/**
 * An idempotency key for each message that is sent in answer to an event. They are the same whenever the event comes, so
 * that what was sent before a failure is not sent again.
 */
function keysOf({ eventId }: WebhookEvent): () => string {
  let sent = 0;
  return () => `${eventId}:${++sent}`;
}

function messageOf(saying: Saying): OutgoingMessage {
  if (typeof saying === "string") return { msgType: "text", content: { text: saying } };
  return "schema" in saying ? { msgType: "card", content: { card: saying } } : saying;
}

function textOf(content: unknown): string {
  const isText = typeof content === "object" && content !== null && "text" in content;
  return isText && typeof content.text === "string" ? content.text : "";
}
