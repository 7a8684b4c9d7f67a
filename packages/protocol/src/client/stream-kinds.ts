import type { AgentState, CustomerSession, SessionChange } from "../customer.ts";
import { STREAM_PATHS } from "../endpoints/stream-paths.ts";
import type { Change, DeskMessage, DeskNote, WidgetMessage } from "../schemas/index.ts";

/** A place in a conversation: the conversation's key and the number of an event. Numbers have no gaps. */
export interface Place {
  key: string;
  seq: number;
}

/** The properties of a kind of live stream (docs/contract/streams.md). `Frame` is a frame from the service. */
export interface StreamKind<Frame extends { type: string }> {
  readonly path: string;
  /** The place of a frame; null for a frame without one. */
  placeOf(frame: Frame): Place | null;
  /** The `afterSeq` of the resume frame. */
  afterSeq(places: ReadonlyMap<string, number>): unknown;
}

/** A frame to a member. */
export type MemberFrame =
  | (Change & { conversationId: string })
  | { type: "conversation.read"; conversationId: string; seq: number };

/** A frame to an agent. */
export type AgentFrame =
  | { type: "message.created"; appId: string; message: DeskMessage }
  | {
      type: "session.changed";
      appId: string;
      /** With when it came into the queue, the last time. */
      session: CustomerSession & { queuedAt: number };
      change: SessionChange;
      previousAgentId: string | null;
    }
  | { type: "agent.changed"; appId: string; agent: AgentState }
  | { type: "note.created"; appId: string; note: DeskNote }
  | { type: "typing"; appId: string; sessionId: number; visitorId: string }
  | { type: "read"; appId: string; visitorId: string; seq: number };

/** A frame to a visitor. */
export type VisitorFrame =
  | { type: "message.created"; message: WidgetMessage }
  | { type: "session.changed"; session: CustomerSession; change: SessionChange }
  | { type: "typing" }
  | { type: "read"; seq: number };

/** A member's stream; places are by conversationId. */
export const MEMBER_STREAM: StreamKind<MemberFrame> = {
  path: STREAM_PATHS.member,
  placeOf: (frame) => (frame.type === "conversation.read" ? null : { key: frame.conversationId, seq: frame.msgSeq }),
  afterSeq: (places) => Object.fromEntries(places),
};

/** An agent's stream of all applications that they serve; places of messages are by visitorId. */
export const AGENT_STREAM: StreamKind<AgentFrame> = {
  path: STREAM_PATHS.agent,
  placeOf: (frame) =>
    frame.type === "message.created" ? { key: frame.message.visitorId, seq: frame.message.seq } : null,
  afterSeq: (places) => Object.fromEntries(places),
};

/** The key of a visitor's only conversation. */
export const OWN_CONVERSATION = "";

/** A visitor's stream: messages and session. */
export const VISITOR_STREAM: StreamKind<VisitorFrame> = {
  path: STREAM_PATHS.visitor,
  placeOf: (frame) => (frame.type === "message.created" ? { key: OWN_CONVERSATION, seq: frame.message.seq } : null),
  afterSeq: (places) => places.get(OWN_CONVERSATION) ?? 0,
};
