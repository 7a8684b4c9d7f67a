import type { CustomerSession, SessionChange } from "../customer.ts";
import { STREAM_PATHS } from "../endpoints/stream-paths.ts";
import type { Change, DeskAgentAnswer, DeskMessage, WidgetMessage } from "../schemas/index.ts";

/** A place in a conversation: which one, and the number of what happened there. Numbers have no gaps. */
export interface Place {
  key: string;
  seq: number;
}

/** What a kind of live stream is like (docs/contract/streams.md). `Frame` is what the service sends on it. */
export interface StreamKind<Frame extends { type: string }> {
  readonly path: string;
  /** The place that a frame tells of; null where it tells of none. */
  placeOf(frame: Frame): Place | null;
  /** What the frame that resumes has as its `afterSeq`. */
  afterSeq(places: ReadonlyMap<string, number>): unknown;
}

/** What the service sends to a member. */
export type MemberFrame = Change & { conversationId: string };

/** What the service sends to an agent. */
export type AgentFrame =
  | { type: "message.created"; appId: string; message: DeskMessage }
  | {
      type: "session.changed";
      appId: string;
      session: CustomerSession;
      change: SessionChange;
      previousAgentId: string | null;
    }
  | { type: "agent.changed"; appId: string; agent: DeskAgentAnswer }
  | { type: "typing"; appId: string; sessionId: number; visitorId: string }
  | { type: "read"; appId: string; visitorId: string; seq: number };

/** What the service sends to a visitor. */
export type VisitorFrame =
  | { type: "message.created"; message: WidgetMessage }
  | { type: "session.changed"; session: CustomerSession; change: SessionChange }
  | { type: "typing" }
  | { type: "read"; seq: number };

/** A member's conversations, by their conversationIds. */
export const MEMBER_STREAM: StreamKind<MemberFrame> = {
  path: STREAM_PATHS.member,
  placeOf: ({ conversationId, msgSeq }) => ({ key: conversationId, seq: msgSeq }),
  afterSeq: (places) => Object.fromEntries(places),
};

/** The sessions of the applications that an agent serves; messages by the visitorIds of whom they are with. */
export const AGENT_STREAM: StreamKind<AgentFrame> = {
  path: STREAM_PATHS.agent,
  placeOf: (frame) =>
    frame.type === "message.created" ? { key: frame.message.visitorId, seq: frame.message.seq } : null,
  afterSeq: (places) => Object.fromEntries(places),
};

/** The key of the one conversation that a visitor has. */
export const OWN_CONVERSATION = "";

/** A visitor's messages and session. */
export const VISITOR_STREAM: StreamKind<VisitorFrame> = {
  path: STREAM_PATHS.visitor,
  placeOf: (frame) => (frame.type === "message.created" ? { key: OWN_CONVERSATION, seq: frame.message.seq } : null),
  afterSeq: (places) => places.get(OWN_CONVERSATION) ?? 0,
};
