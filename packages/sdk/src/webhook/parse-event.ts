import type { WebhookEvent, WebhookEventByType } from "./events.ts";
import { WebhookVerificationError } from "./verification-error.ts";

/** What came with a body, and must be what the body says. */
export interface EventNames {
  eventId: string;
  eventType: string;
  appId: string;
}

type Members = Readonly<Record<string, unknown>>;

/** Checks the required fields of each payload type; additional fields from a later service are allowed. */
const HAS_PAYLOAD: { [Type in keyof WebhookEventByType]: (event: Members) => boolean } = {
  "im.message.receive_v1": ({ message, sender }) => isInChat(message) && isMember(sender),
  "card.interaction": ({ message, action, operator }) => isInChat(message) && isObject(action) && isMember(operator),
  "customer.message.created_v1": ({ message, session }) =>
    isObject(message) && Number.isSafeInteger(message.messageId) && isSession(session),
  "customer.session.changed_v1": ({ session, change }) => isSession(session) && typeof change === "string",
  "customer.agent.status_v1": ({ agent }) => isObject(agent) && typeof agent.agentId === "string",
};

/**
 * Parses the event in a body that is known to be the service's.
 *
 * @throws WebhookVerificationError "body" when it is not an event, or not the event that the headers name.
 */
export function parseEvent(body: Uint8Array, headers: EventNames): WebhookEvent {
  const event = parseJson(body);
  if (!isObject(event)) throw fault("the body is not a JSON object");
  for (const name of ["eventId", "eventType", "appId"] as const) {
    if (event[name] !== headers[name]) throw fault(`the body's ${name} is not that of the headers`);
  }
  if (!isEvent(event)) throw fault(`the body is no event of the type that it names`);
  return event;
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    throw fault("the body is not JSON in UTF-8");
  }
}

function isEvent(event: object): event is WebhookEvent {
  const members: Members = { ...event };
  const { eventType, tenantId, createTime } = members;
  if (typeof tenantId !== "string" || typeof createTime !== "number") return false;
  return !isTyped(eventType) || HAS_PAYLOAD[eventType](members);
}

function isTyped(eventType: unknown): eventType is keyof WebhookEventByType {
  return typeof eventType === "string" && Object.hasOwn(HAS_PAYLOAD, eventType);
}

function isInChat(message: unknown): boolean {
  return isObject(message) && Number.isSafeInteger(message.messageId) && typeof message.chatId === "string";
}

function isSession(session: unknown): boolean {
  return isObject(session) && Number.isSafeInteger(session.sessionId) && typeof session.visitorId === "string";
}

function isMember(member: unknown): boolean {
  return isObject(member) && typeof member.userId === "string";
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fault(message: string): WebhookVerificationError {
  return new WebhookVerificationError("body", message);
}
