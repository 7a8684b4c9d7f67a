import type { CustomerSession } from "@portico/protocol/customer";
import type { WidgetMessage } from "@portico/protocol/schemas";
import type { Outgoing } from "./outbox.ts";

/** What of the conversation is to be drawn; another object whenever something has changed. */
export interface Snapshot {
  phase: "loading" | "ready" | "failed" | "disabled";
  /** Oldest first, without gaps. */
  messages: readonly WidgetMessage[];
  hasEarlier: boolean;
  outgoing: readonly Outgoing[];
  session: CustomerSession | null;
  readSeq: number;
  agentReadSeq: number;
  isAgentTyping: boolean;
  /** Whether news arrive, or nothing is to be heard yet. */
  isConnected: boolean;
}

/** Of a conversation that has not been read. */
export const BEGINNING: Snapshot = {
  phase: "loading",
  messages: [],
  hasEarlier: false,
  outgoing: [],
  session: null,
  readSeq: 0,
  agentReadSeq: 0,
  isAgentTyping: false,
  isConnected: true,
};
