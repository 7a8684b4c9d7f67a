import type { AgentStatus, CustomerMessage, CustomerSession, Visitor } from "@portico/protocol/customer";
import type { InstallationState, TargetType } from "@portico/protocol/message-types";
import type { AppState, AppType } from "@portico/protocol/scopes";

/** A message that was sent, or a card that was updated. */
export interface SentMessage {
  messageId: number;
  /** The position of this change in the conversation. */
  msgSeq: number;
  /** The idempotency key of the call; null for an update. */
  clientMessageId: string | null;
  /** Whether this `clientMessageId` had been sent before; nothing was sent then. */
  duplicate: boolean;
}

/** A stored file. */
export interface UploadedFile {
  /** Goes into messages and cards, until `expiresAt`. */
  fileKey: string;
  fileName: string;
  /** In bytes. */
  size: number;
  mimeType: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** Selects installations. */
export interface InstallationsQuery {
  targetType?: TargetType | undefined;
  status?: InstallationState | undefined;
}

/** A bot's installation in a conversation. */
export interface Installation {
  /** The `receiveId` for messages to it. */
  targetId: string;
  targetType: TargetType;
  status: InstallationState;
  /** Of the group or the member. */
  name: string;
  /** Epoch milliseconds. */
  installedAt: number;
}

/** A page of the installations. */
export interface InstallationPage {
  items: Installation[];
  /** Selects the next page; null on the last one. */
  nextCursor: string | null;
}

/** The calling app. */
export interface AppInfo {
  appId: string;
  type: AppType;
  status: AppState;
  displayName: string;
  /** URL of a picture; empty for none. */
  avatar: string;
  /** Those that are granted. */
  scopes: string[];
}

/** The member who opened a mini-program. */
export interface MiniappSession {
  /** The member, to this app: always the same. */
  openId: string;
  /** The member, to all apps of the developer: always the same. */
  unionId: string;
  /** 32 random bytes in base64url, new for each session. */
  sessionKey: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** A visitor who was created or updated. */
export interface AuthenticatedVisitor extends Visitor {
  isNew: boolean;
  /** For the visitor's widget. */
  visitorToken: string;
  /** When the `visitorToken` expires, in epoch milliseconds. */
  expiresAt: number;
}

/** A visitor, and their open session. */
export interface VisitorInfo extends Visitor {
  /** Null when none is open. */
  currentSessionId: number | null;
}

/** A stored message of a visitor or an agent. */
export interface SentCustomerMessage {
  messageId: number;
  sessionId: number;
  /** Numbers the visitor's messages from 1 without gaps. */
  seq: number;
  /** Whether this `thirdMsgId` had been sent before. */
  isDuplicate: boolean;
}

/** A page of a visitor's messages, oldest first. */
export interface CustomerMessageList {
  records: CustomerMessage[];
  /** On all pages. */
  total: number;
}

/** The open session of a visitor. */
export interface CreatedSession extends CustomerSession {
  /** Whether it was open before. */
  isExisting: boolean;
}

/** A closed session. */
export interface ClosedSession extends CustomerSession {
  alreadyClosed: boolean;
}

/** A session with its new agent. */
export interface AssignedSession extends CustomerSession {
  previousAgentId: string | null;
}

/** The state of an agent. */
export interface AgentStatusAnswer {
  exists: boolean;
  /** Whether they chose ONLINE and are at the desk. */
  online: boolean;
  agentName: string | null;
  status: AgentStatus | null;
  activeSessions: number;
}
