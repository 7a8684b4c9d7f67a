import type { AgentState, CustomerSession, SessionChange } from "@portico/protocol";

/** A session after a change of it. */
export interface ChangedSession {
  session: CustomerSession;
  change: SessionChange;
  previousAgentId: string | null;
  version: number;
}

/** Notifies desks and widgets in every process. Call its methods after the commit. */
export interface DeskLive {
  messageStored(appId: string, visitorId: string, seq: number): void;
  sessionChanged(appId: string, changed: ChangedSession): void;
  noteStored(appId: string, noteId: number): void;
  agentChanged(appId: string, agent: AgentState): void;
  /** The visitor's tokens are no longer valid. */
  visitorSignedOut(appId: string, visitorId: string): void;
  /** The application's queue may have more sessions to assign. */
  recheck(appId: string): void;
}
