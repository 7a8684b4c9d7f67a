/** States of a customer-service session (docs/contract/customer-service.md#sessions). A closed one never reopens. */
export const SESSION_STATES = ["QUEUED", "ACTIVE", "CLOSED"] as const;
export type SessionState = (typeof SESSION_STATES)[number];

/** What an agent chooses to be; whether they are there is another matter. */
export const AGENT_STATUSES = ["ONLINE", "BUSY", "OFFLINE"] as const;
export type AgentStatus = (typeof AGENT_STATUSES)[number];

/** Who wrote a message of customer service. */
export const CUSTOMER_SENDER_TYPES = ["VISITOR", "AGENT", "SYSTEM"] as const;
export type CustomerSenderType = (typeof CUSTOMER_SENDER_TYPES)[number];

/** Types of messages of customer service. */
export const CUSTOMER_MESSAGE_TYPES = ["text", "image", "file"] as const;
export type CustomerMessageType = (typeof CUSTOMER_MESSAGE_TYPES)[number];

/** What can happen to a session. */
export const SESSION_CHANGES = ["created", "assigned", "transferred", "closed", "rated"] as const;
export type SessionChange = (typeof SESSION_CHANGES)[number];

/** A customer of the application's owner. */
export interface Visitor {
  visitorId: string;
  /** By which the integrator knows them. */
  thirdUserId: string;
  nickname: string;
  avatar: string;
  phone: string;
  email: string;
  /** Whatever the integrator wants to keep; null when nothing was given. */
  extra: unknown;
  /** 0: disabled. */
  status: 0 | 1;
  /** Whether a widget of theirs gave a sign of life in the last 45 seconds. */
  online: boolean;
  lastSeenAt: number | null;
  createdAt: number;
}

/** A visitor's matter, from its opening to its end. Times are in epoch milliseconds. */
export interface CustomerSession {
  sessionId: number;
  visitorId: string;
  status: SessionState;
  /** The agent's account. */
  agentId: string | null;
  agentName: string | null;
  source: string;
  subject: string;
  /** From 1; null while it is not QUEUED. */
  queuePosition: number | null;
  createdAt: number;
  assignedAt: number | null;
  firstReplyAt: number | null;
  closedAt: number | null;
  /** Who closed it: an agent's account, the visitorId, or the appId. */
  closedBy: string | null;
  rating: number | null;
}

/** A message between a visitor and the agents. */
export interface CustomerMessage {
  messageId: number;
  thirdMsgId: string | null;
  sessionId: number;
  visitorId: string;
  /** The account of the agent who wrote it. */
  agentId: string | null;
  senderType: CustomerSenderType;
  msgType: CustomerMessageType;
  /** A string for text, else an object with the file. */
  content: unknown;
  /** Counts the visitor's messages from 1 without gaps. */
  seq: number;
  createdAt: number;
}

/** An agent as events and the desk show them. */
export interface AgentState {
  /** Their account. */
  agentId: string;
  agentName: string;
  status: AgentStatus;
  /** Whether they chose ONLINE and are there. */
  online: boolean;
}
