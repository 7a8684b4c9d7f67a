import type { AgentState, CustomerSession, SessionChange } from "@portico/protocol";

/** Notifies desks and widgets in every process. Call its methods after the commit. */
export interface DeskLive {
  messageStored(appId: string, visitorId: string, seq: number): void;
  sessionChanged(appId: string, session: CustomerSession, change: SessionChange, previousAgentId: string | null): void;
  agentChanged(appId: string, agent: AgentState): void;
  /** The visitor's tokens are no longer valid. */
  visitorSignedOut(appId: string, visitorId: string): void;
  /** The application's queue may have more sessions to assign. */
  look(appId: string): void;
}
