import type { EventType } from "@portico/protocol/events";
import type { WebhookEventByType } from "../webhook/events.ts";
import type { ListenerName } from "./contexts.ts";

/** The members of an event that a test cares about; the others are made up. */
export type MadeUpEvent<Name extends ListenerName> = PartialDeep<
  WebhookEventByType[Name extends "message" ? "im.message.receive_v1" : Name extends EventType ? Name : never]
>;

type PartialDeep<T> = T extends readonly unknown[] ? T : T extends object ? { [K in keyof T]?: PartialDeep<T[K]> } : T;

const TIME = Date.UTC(2026, 0, 1);
const MEMBER = { userId: "u_alice", username: "alice", name: "Alice" };
const CHAT = { messageId: 1, chatId: "g_team", chatType: "group", receiveIdType: "group_id" } as const;
const SESSION = {
  sessionId: 1,
  visitorId: "v_1",
  status: "QUEUED",
  agentId: null,
  agentName: null,
  source: "",
  subject: "",
  queuePosition: 1,
  createdAt: TIME,
  assignedAt: null,
  firstReplyAt: null,
  closedAt: null,
  closedBy: null,
  rating: null,
} as const;

const HEAD = { appId: "app_test", tenantId: "t_test", createTime: TIME };

/** An event of each type, without its id. */
const EVENTS: { [Type in EventType]: Omit<WebhookEventByType[Type], "eventId"> } = {
  "im.message.receive_v1": {
    ...HEAD,
    eventType: "im.message.receive_v1",
    message: {
      ...CHAT,
      msgSeq: 1,
      msgType: "text",
      content: { text: "hello" },
      mentions: [],
      parentMessageId: null,
      createTime: TIME,
    },
    sender: MEMBER,
  },
  "card.interaction": {
    ...HEAD,
    eventType: "card.interaction",
    message: { ...CHAT, cardVersion: 1 },
    action: { type: "platform-card:action", tag: "button", name: null, value: null, option: null, formValue: null },
    operator: MEMBER,
  },
  "customer.message.created_v1": {
    ...HEAD,
    eventType: "customer.message.created_v1",
    message: {
      messageId: 1,
      thirdMsgId: null,
      sessionId: 1,
      visitorId: "v_1",
      agentId: null,
      senderType: "VISITOR",
      msgType: "text",
      content: "hello",
      seq: 1,
      createdAt: TIME,
    },
    session: SESSION,
  },
  "customer.session.changed_v1": {
    ...HEAD,
    eventType: "customer.session.changed_v1",
    session: SESSION,
    change: "created",
    previousAgentId: null,
  },
  "customer.agent.status_v1": {
    ...HEAD,
    eventType: "customer.agent.status_v1",
    agent: { agentId: "alice", agentName: "Alice", status: "ONLINE", online: true },
    previousStatus: "OFFLINE",
  },
};

/** A whole event of a type, in which the given members are as given. */
export function madeUpEvent<Name extends ListenerName>(
  name: Name,
  given: MadeUpEvent<Name>,
  eventId: string,
): WebhookEventByType[EventType] {
  const eventType: EventType = name === "message" ? "im.message.receive_v1" : name;
  return merged({ eventId, ...EVENTS[eventType] }, given) as WebhookEventByType[EventType];
}

/** The members of `whole`, those in `given` in their place, at every depth; lists as a whole. */
function merged(whole: object, given: object): object {
  const members: Record<string, unknown> = { ...whole };
  for (const [name, value] of Object.entries(given)) {
    const before = members[name];
    members[name] = isPlain(before) && isPlain(value) ? merged(before, value) : value;
  }
  return members;
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
