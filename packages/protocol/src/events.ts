import type { AgentState, AgentStatus, CustomerMessage, CustomerSession, SessionChange } from "./customer.ts";
import type { MessageType } from "./message-types.ts";
import type { Scope } from "./scopes.ts";

/** The event types, each with its required scope (docs/contract/events.md). */
export const EVENT_SCOPES = {
  "im.message.receive_v1": "event.bot.message",
  "card.interaction": null,
  "customer.message.created_v1": "event.customer.message",
  "customer.session.changed_v1": "event.customer.session",
  "customer.agent.status_v1": "event.customer.agent",
} as const satisfies Record<string, Scope | null>;

export type EventType = keyof typeof EVENT_SCOPES;

/** All event types, in the table's order. */
export const EVENT_TYPES = Object.keys(EVENT_SCOPES) as EventType[];

/** Whether `name` is an event type. */
export function isEventType(name: string): name is EventType {
  return Object.hasOwn(EVENT_SCOPES, name);
}

/** States of a subscription. Events are delivered only to an ACTIVE one. */
export const SUBSCRIPTION_STATES = ["ACTIVE", "INACTIVE"] as const;
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

/** States of a delivery (docs/contract/events.md#attempts-and-retries). */
export const DELIVERY_STATES = ["PENDING", "RETRYING", "DELIVERED", "FAILED", "EXHAUSTED", "DROPPED"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The first members of every event's body. `createTime` is in epoch milliseconds. */
export interface EventHead<Type extends EventType> {
  /** The same in every delivery of the event; use it for de-duplication. */
  eventId: string;
  eventType: Type;
  appId: string;
  tenantId: string;
  createTime: number;
}

/** The member who caused an event. */
export interface EventMember {
  userId: string;
  username: string;
  name: string;
}

/** A member or a bot that a message mentions. */
export interface Mention {
  userId: string;
  name: string;
  isBot: boolean;
}

/** A member wrote to the bot, or mentioned it in a group where it is installed. */
export interface MessageReceivedEvent extends EventHead<"im.message.receive_v1"> {
  message: {
    messageId: number;
    msgSeq: number;
    /** The `receiveId` for a reply. */
    chatId: string;
    chatType: "group" | "user";
    receiveIdType: "group_id" | "user_id";
    msgType: MessageType;
    /** Depends on `msgType`. */
    content: unknown;
    mentions: Mention[];
    parentMessageId: number | null;
    createTime: number;
  };
  sender: EventMember;
}

/** The action of every card interaction (docs/contract/events.md#cardinteraction). */
export const CARD_ACTION_TYPE = "platform-card:action";

/** A member acted on a card of the application. */
export interface CardInteractionEvent extends EventHead<"card.interaction"> {
  message: {
    messageId: number;
    chatId: string;
    chatType: "group" | "user";
    receiveIdType: "group_id" | "user_id";
    cardVersion: number;
  };
  action: {
    type: typeof CARD_ACTION_TYPE;
    tag: string;
    name: string | null;
    value: unknown;
    option: unknown;
    formValue: unknown;
    /** Of a `picker_datetime`: the member's time zone, such as `Asia/Shanghai`, by whose clock the time was entered. */
    timeZone?: string;
  };
  operator: EventMember;
}

/** A visitor's or an agent's message was stored. */
export interface CustomerMessageEvent extends EventHead<"customer.message.created_v1"> {
  message: CustomerMessage;
  session: CustomerSession;
}

/** A session changed. */
export interface CustomerSessionEvent extends EventHead<"customer.session.changed_v1"> {
  session: CustomerSession;
  change: SessionChange;
  /** The username of the previous agent. */
  previousAgentId: string | null;
  /** Of a closed session: why, if it was said. */
  closeReason?: string;
  /** Of a rated session: what the visitor wrote, if anything. */
  ratingComment?: string;
}

/** An agent chose another status, arrived or left. */
export interface AgentStatusEvent extends EventHead<"customer.agent.status_v1"> {
  agent: AgentState;
  previousStatus: AgentStatus;
}
