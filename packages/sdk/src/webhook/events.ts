import type {
  AgentStatusEvent,
  CardInteractionEvent,
  CustomerMessageEvent,
  CustomerSessionEvent,
  EventHead,
  EventType,
  MessageReceivedEvent,
} from "@portico/protocol/events";

/** The events with typed payloads, by type. To add one, add a line here and in `parse-event.ts`. */
export interface WebhookEventByType {
  "im.message.receive_v1": MessageReceivedEvent;
  "card.interaction": CardInteractionEvent;
  "customer.message.created_v1": CustomerMessageEvent;
  "customer.session.changed_v1": CustomerSessionEvent;
  "customer.agent.status_v1": AgentStatusEvent;
}

/** Stands for all other strings; unlike `string`, it does not absorb the literal types. */
declare enum UnknownEventType {
  type = "a type that this version does not know",
}

/** An event type without a typed payload: one of the named ones, or any other that a later service sends. */
export type OtherEventType = Exclude<EventType, keyof WebhookEventByType> | UnknownEventType;

/** An event whose payload is not typed. */
export interface OtherEvent extends Omit<EventHead<EventType>, "eventType"> {
  eventType: OtherEventType;
  [member: string]: unknown;
}

/** An event as delivered; `eventType` discriminates the union. */
export type WebhookEvent = WebhookEventByType[keyof WebhookEventByType] | OtherEvent;

/** The event with a given type. */
export type WebhookEventOf<Type extends EventType> = Type extends keyof WebhookEventByType
  ? WebhookEventByType[Type]
  : OtherEvent;
