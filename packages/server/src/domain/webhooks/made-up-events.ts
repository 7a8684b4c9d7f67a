import { randomInt } from "node:crypto";
import {
  type AgentStatusEvent,
  CARD_ACTION_TYPE,
  type CardInteractionEvent,
  type CustomerMessageEvent,
  type CustomerSession,
  type CustomerSessionEvent,
  type EventHead,
  type EventType,
  type MessageReceivedEvent,
} from "@portico/protocol";

interface EventOf {
  "im.message.receive_v1": MessageReceivedEvent;
  "card.interaction": CardInteractionEvent;
  "customer.message.created_v1": CustomerMessageEvent;
  "customer.session.changed_v1": CustomerSessionEvent;
  "customer.agent.status_v1": AgentStatusEvent;
}

/** An event without its head, which the outbox adds. */
type MadeUp = { [Type in EventType]: (now: number) => Omit<EventOf[Type], keyof EventHead<Type>> };

/** Ids from here on belong to nothing: what counts messages and sessions never comes so far. */
const FIRST_MADE_UP_ID = 2 ** 52;

const MEMBER = { userId: "u_example", username: "example", name: "Example" };
const CHAT = { chatId: MEMBER.userId, chatType: "user", receiveIdType: "user_id" } as const;

/** The text of the message in a made-up event. */
export const MADE_UP_TEXT = "This message was made up to try the bot.";

/** A payload of each type of event (docs/contract/events.md), about things that do not exist; `now` is epoch milliseconds. */
export const MADE_UP_EVENTS: MadeUp = {
  "im.message.receive_v1": (now) => ({
    message: {
      messageId: madeUpId(),
      msgSeq: 1,
      ...CHAT,
      msgType: "text",
      content: { text: MADE_UP_TEXT },
      mentions: [],
      parentMessageId: null,
      createTime: now,
    },
    sender: MEMBER,
  }),
  "card.interaction": () => ({
    message: { messageId: madeUpId(), ...CHAT, cardVersion: 1 },
    action: {
      type: CARD_ACTION_TYPE,
      tag: "button",
      name: "example",
      value: { example: true },
      option: null,
      formValue: null,
    },
    operator: MEMBER,
  }),
  "customer.message.created_v1": (now) => {
    const session = madeUpSession(now);
    const { sessionId, visitorId } = session;
    const content = "This message was made up to try the integration.";
    const message = {
      messageId: madeUpId(),
      thirdMsgId: null,
      sessionId,
      visitorId,
      agentId: null,
      senderType: "VISITOR",
      msgType: "text",
      content,
      seq: 1,
      createdAt: now,
    } as const;
    return { message, session };
  },
  "customer.session.changed_v1": (now) => ({
    session: madeUpSession(now),
    change: "created",
    previousAgentId: null,
  }),
  "customer.agent.status_v1": () => ({
    agent: { agentId: MEMBER.username, agentName: MEMBER.name, status: "ONLINE", online: true },
    previousStatus: "OFFLINE",
  }),
};

function madeUpId(): number {
  return FIRST_MADE_UP_ID + randomInt(2 ** 47);
}

function madeUpSession(now: number): CustomerSession {
  return {
    sessionId: madeUpId(),
    visitorId: "v_example",
    status: "QUEUED",
    agentId: null,
    agentName: null,
    source: "example",
    subject: "",
    queuePosition: 1,
    createdAt: now,
    assignedAt: null,
    firstReplyAt: null,
    closedAt: null,
    closedBy: null,
    rating: null,
  };
}
