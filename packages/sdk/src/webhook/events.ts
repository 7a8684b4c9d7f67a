import type {
  AgentStatusEvent,
  CardInteractionEvent,
  CustomerMessageEvent,
  CustomerSessionEvent,
  EventHead,
  EventType,
  MessageReceivedEvent,
} from "@portico/protocol";

/** The events whose payload is typed, by their type; a new one is a new line here and in `parse-event.ts`. */
export interface WebhookEventByType {
  "im.message.receive_v1": MessageReceivedEvent;
  "card.interaction": CardInteractionEvent;
  "customer.message.created_v1": CustomerMessageEvent;
  "customer.session.changed_v1": CustomerSessionEvent;
  "customer.agent.status_v1": AgentStatusEvent;
}

/** Stands for every string that is no known type: unlike `string`, it is told apart from each literal. */
declare enum UnknownEventType {
  type = "a type that this version does not know",
}

/** A type of event without a typed payload: one of those named, or any other that a later service sends. */
export type OtherEventType = Exclude<EventType, keyof WebhookEventByType> | UnknownEventType;

/** An event whose payload is not typed. */
export interface OtherEvent extends Omit<EventHead<EventType>, "eventType"> {
  eventType: OtherEventType;
  [member: string]: unknown;
}

/** An event as a webhook brings it; `eventType` tells which. */
export type WebhookEvent = WebhookEventByType[keyof WebhookEventByType] | OtherEvent;

/** The event of one type. */
export type WebhookEventOf<Type extends EventType> = Type extends keyof WebhookEventByType
  ? WebhookEventByType[Type]
  : OtherEvent;
