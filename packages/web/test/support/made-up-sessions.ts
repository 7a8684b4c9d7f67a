import type { AgentFrame } from "@portico/protocol/client";
import type { DeskApp, DeskMessage, DeskSession, Member } from "@portico/protocol/schemas";

/** The agent whose desk it is. */
export const ME = { userId: "u_bob", username: "bob", name: "Bob", tenantId: "t" } as Member;

/** Their application. */
export const APP: DeskApp = {
  appId: "app",
  name: "Shop",
  status: "ONLINE",
  online: false,
  maxSessions: 10,
  activeSessions: 0,
  queued: 0,
};

/** A message of a session's visitor, or of the agent. */
export function message(
  sessionId: number,
  seq: number,
  senderType: DeskMessage["senderType"] = "VISITOR",
): DeskMessage {
  return {
    messageId: 100 + seq,
    clientMessageId: null,
    sessionId,
    visitorId: `v_${sessionId}`,
    agentId: senderType === "AGENT" ? "bob" : null,
    agentName: senderType === "AGENT" ? "Bob" : null,
    senderType,
    msgType: "text",
    content: `m${seq}`,
    seq,
    createdAt: seq,
  };
}

/** A session that waits, as the desk lists it. */
export function session(sessionId: number, changes: Partial<DeskSession> = {}): DeskSession {
  const visitorId = `v_${sessionId}`;
  return {
    sessionId,
    visitorId,
    status: "QUEUED",
    agentId: null,
    agentName: null,
    source: "widget",
    subject: "",
    queuePosition: 1,
    queuedAt: sessionId,
    createdAt: sessionId,
    assignedAt: null,
    firstReplyAt: null,
    closedAt: null,
    closedBy: null,
    rating: null,
    visitor: {
      visitorId,
      thirdUserId: `c-${sessionId}`,
      nickname: `N${sessionId}`,
      avatar: "",
      phone: "",
      email: "",
      extra: null,
      status: 1,
      online: true,
      lastSeenAt: null,
      createdAt: 0,
    },
    lastMessage: message(sessionId, 1),
    lastSeq: 1,
    readSeq: 0,
    visitorReadSeq: 0,
    ...changes,
  };
}

/** A session of the agent's own. */
export const own = (sessionId: number, changes: Partial<DeskSession> = {}) =>
  session(sessionId, { status: "ACTIVE", agentId: "bob", agentName: "Bob", queuePosition: null, ...changes });

type SessionFrame = Extract<AgentFrame, { type: "session.changed" }>;

/** What the stream tells of a session. */
export function frame(
  now: DeskSession,
  change: SessionFrame["change"],
  previousAgentId: string | null = null,
): SessionFrame {
  const { visitor: _, lastMessage: __, lastSeq: ___, readSeq: ____, visitorReadSeq: _____, ...told } = now;
  return { type: "session.changed", appId: "app", session: told, change, previousAgentId };
}
