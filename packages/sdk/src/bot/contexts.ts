import type { EventType } from "@portico/protocol/events";
import type { SentMessage } from "../answers.ts";
import type { Card } from "../cards/card.ts";
import type { PorticoClient } from "../client.ts";
import type { OutgoingMessage } from "../messages.ts";
import type { WebhookEvent, WebhookEventByType, WebhookEventOf } from "../webhook/events.ts";

/** A message to a conversation: a text, a card, or a message of any type. */
export type Saying = string | Card | OutgoingMessage;

/** What a listener or a middleware gets with an event. */
export interface EventContext<Event extends WebhookEvent = WebhookEvent> {
  readonly event: Event;
  /** The open API, with the bot's credential. */
  readonly client: PorticoClient;
  /** A place for what a middleware finds out for those after it. */
  readonly state: Record<string, unknown>;
}

/** What a listener to "message" gets: a member wrote to the bot, or mentioned it. */
export interface MessageContext extends EventContext<WebhookEventByType["im.message.receive_v1"]> {
  readonly message: WebhookEventByType["im.message.receive_v1"]["message"];
  readonly sender: WebhookEventByType["im.message.receive_v1"]["sender"];
  /** The text of a text message; empty for the other types. */
  readonly text: string;
  /**
   * The text without the mentions of the bot itself, wherever they stand: `@Lunch bot menu` is `menu`. In a group members
   * have to mention it, and mean what else they write.
   */
  readonly command: string;
  /**
   * Replies to the message. Needs the scope `bot.message.reply`. When the event comes again, because a listener failed
   * after this, the same reply is not sent twice.
   */
  reply(saying: Saying): Promise<SentMessage>;
  /** Sends a message to the conversation, without naming the one that the bot got. Needs `bot.message.send`. */
  send(saying: Saying): Promise<SentMessage>;
}

/** What a listener to a card's actions gets: a member used a control of one of the bot's cards. */
export interface CardActionContext extends EventContext<WebhookEventByType["card.interaction"]> {
  readonly message: WebhookEventByType["card.interaction"]["message"];
  readonly action: WebhookEventByType["card.interaction"]["action"];
  readonly operator: WebhookEventByType["card.interaction"]["operator"];
  /** Replaces the card for all its readers. Needs the scope `bot.message.send`. */
  updateCard(card: Card): Promise<SentMessage>;
  /** Sends a message to the card's conversation; once, as with a reply to a message. Needs `bot.message.send`. */
  send(saying: Saying): Promise<SentMessage>;
}

/** The names under which listeners are added: an event type, or "message" for the messages that the bot gets. */
export type ListenerName = EventType | "message";

/** The context of each name's events. */
export type ContextOf<Name extends ListenerName> = Name extends "message" | "im.message.receive_v1"
  ? MessageContext
  : Name extends "card.interaction"
    ? CardActionContext
    : Name extends EventType
      ? EventContext<WebhookEventOf<Name>>
      : never;

/** The context of an event of any type; `event.eventType` tells which. */
export type AnyContext = EventContext | MessageContext | CardActionContext;
