/**
 * States of a customer-service session (docs/contract/customer-service.md#sessions). A closed session is never
 * reopened.
 */
export const SESSION_STATES = ["QUEUED", "ACTIVE", "CLOSED"] as const;
export type SessionState = (typeof SESSION_STATES)[number];

/** The statuses that an agent can choose, independent of whether they are present. */
export const AGENT_STATUSES = ["ONLINE", "BUSY", "OFFLINE"] as const;
export type AgentStatus = (typeof AGENT_STATUSES)[number];

/** Types of senders in customer service. */
export const CUSTOMER_SENDER_TYPES = ["VISITOR", "AGENT", "SYSTEM"] as const;
export type CustomerSenderType = (typeof CUSTOMER_SENDER_TYPES)[number];

/** Types of messages of customer service. */
export const CUSTOMER_MESSAGE_TYPES = ["text", "image", "file"] as const;
export type CustomerMessageType = (typeof CUSTOMER_MESSAGE_TYPES)[number];

/** The kinds of changes of a session. */
export const SESSION_CHANGES = ["created", "assigned", "transferred", "closed", "rated"] as const;
export type SessionChange = (typeof SESSION_CHANGES)[number];

/** Bounds of what agents write, besides messages; lengths are in characters. */
export const DESK_BOUNDS = {
  noteLength: 2_000,
  /** The replies of an application. */
  cannedReplies: 500,
  cannedReplyLength: 4_000,
  /** Of the texts of all of them, in KiB of UTF-8: the desk has all of them at hand. */
  cannedRepliesKib: 512,
  shortcutLength: 32,
} as const;

/** Letters, digits, _ and -: the shortcut of a canned reply, as a pattern of Unicode. */
export const SHORTCUT_PATTERN = "^[\\p{L}\\p{N}_-]+$";

/** A customer of the application's owner. */
export interface Visitor {
  visitorId: string;
  /** The integrator's id of the visitor. */
  thirdUserId: string;
  nickname: string;
  avatar: string;
  phone: string;
  email: string;
  /** The integrator's own data; null for none. */
  extra: unknown;
  /** 0 when disabled. */
  status: 0 | 1;
  /** Whether one of their widgets has sent a heartbeat in the last 45 seconds. */
  online: boolean;
  lastSeenAt: number | null;
  createdAt: number;
}

/** A visitor's session. Times are in epoch milliseconds. */
export interface CustomerSession {
  sessionId: number;
  visitorId: string;
  status: SessionState;
  /** The agent's username. */
  agentId: string | null;
  agentName: string | null;
  source: string;
  subject: string;
  /** Starting at 1; null unless it is QUEUED. */
  queuePosition: number | null;
  createdAt: number;
  assignedAt: number | null;
  firstReplyAt: number | null;
  closedAt: number | null;
  /** Who closed it: an agent's username, the visitorId, or the appId. */
  closedBy: string | null;
  rating: number | null;
}

/** A message between a visitor and the agents. */
export interface CustomerMessage {
  messageId: number;
  thirdMsgId: string | null;
  sessionId: number;
  visitorId: string;
  /** The username of the agent who wrote it. */
  agentId: string | null;
  senderType: CustomerSenderType;
  msgType: CustomerMessageType;
  /** A text, or an object with the file. */
  content: unknown;
  /** Numbers the visitor's messages from 1 without gaps. */
  seq: number;
  createdAt: number;
}

/** An agent, as in events and at the desk. */
export interface AgentState {
  /** Their username. */
  agentId: string;
  agentName: string;
  status: AgentStatus;
  /** Whether they chose ONLINE and are present. */
  online: boolean;
}
