import type { AgentState, CustomerSession, SessionChange } from "@portico/protocol";
import type { Topic } from "../../platform/coordination/coordination.ts";
import type { Reader } from "./read-store.ts";

/** The message that a process sends when something has happened at an application's desk. */
export type DeskHint =
  | { type: "message"; visitorId: string; seq: number }
  | {
      type: "session";
      session: CustomerSession;
      change: SessionChange;
      previousAgentId: string | null;
      /** Of the session after this change. An earlier version of the service does not say it. */
      version?: number;
    }
  /** Names no visitor, whose stream would be told by an earlier version. */
  | { type: "note"; noteId: number }
  | { type: "agent"; agent: AgentState }
  /** These members have become agents of the application, or are no longer. An earlier version does not name them. */
  | { type: "agents"; userIds?: readonly string[] }
  /** Tokens of a visitor may have ended. */
  | { type: "visitor"; visitorId: string }
  | { type: "typing"; visitorId: string; sessionId: number; by: Reader }
  | { type: "read"; visitorId: string; seq: number; by: Reader }
  | { type: "recheck" };

/** What hints are about, and what streams watch: an application, a visitor or a member who is an agent. */
type SubjectKind = "app" | "visitor" | "member";

/** A subject as the key of those who watch it. */
export function subject(kind: SubjectKind, id: string): string {
  return `${kind}:${id}`;
}

/** Those whose watchers are told of a hint. */
export function subjectsOf(appId: string, hint: DeskHint): string[] {
  const app = subject("app", appId);
  switch (hint.type) {
    case "message":
      // Who answers a visitor watches the visitor.
      return [subject("visitor", hint.visitorId)];
    case "session":
      return [app, subject("visitor", hint.session.visitorId)];
    case "note":
      // Notes are for agents: a visitor's own subject is never told.
      return [app];
    case "agent":
      return [app];
    case "agents":
      // A new agent's stream does not watch the application yet.
      return [app, ...(hint.userIds ?? []).map((userId) => subject("member", userId))];
    case "recheck":
      return [];
    default:
      return [app, subject("visitor", hint.visitorId)];
  }
}

const KIND_PREFIX = "desk-";

/** The kinds of topics that {@link topicOf} gives. */
export const DESK_TOPICS = (["app", "visitor", "member"] as const).map((kind) => ({ kind, topic: KIND_PREFIX + kind }));

/** The topic on which processes tell one another of a subject. */
export function topicOf(watched: string): Topic {
  const end = watched.indexOf(":");
  return { kind: KIND_PREFIX + watched.slice(0, end), key: watched.slice(end + 1) };
}
