import type { AgentState, CustomerSession, SessionChange } from "@portico/protocol";

/** Tells desks and widgets, at every process, what has happened. All of it is on disk when it is called. */
export interface DeskLive {
  messageStored(appId: string, visitorId: string, seq: number): void;
  sessionChanged(appId: string, session: CustomerSession, change: SessionChange, previousAgentId: string | null): void;
  agentChanged(appId: string, agent: AgentState): void;
  /** The visitor's tokens are good no more. */
  visitorSignedOut(appId: string, visitorId: string): void;
  /** The application's queue may be drained further. */
  look(appId: string): void;
}
