import type { CustomerSession } from "@portico/protocol/customer";
import { type MessageWindow, NO_MESSAGES } from "./message-window.ts";
import type { Outgoing } from "./outgoing.ts";

/** What of the conversation is to be drawn; another object whenever something has changed. */
export interface Snapshot extends MessageWindow {
  /** `failed` is tried again by itself, `refused` is not. */
  phase: "loading" | "ready" | "failed" | "refused" | "disabled";
  outgoing: readonly Outgoing[];
  session: CustomerSession | null;
  readSeq: number;
  /** How many messages of others have not been read. */
  unread: number;
  agentReadSeq: number;
  isAgentTyping: boolean;
  /** Whether news arrive, or nothing is to be heard yet. */
  isConnected: boolean;
}

/** Of a conversation that has not been read. */
export const BEGINNING: Snapshot = {
  ...NO_MESSAGES,
  phase: "loading",
  outgoing: [],
  session: null,
  readSeq: 0,
  unread: 0,
  agentReadSeq: 0,
  isAgentTyping: false,
  isConnected: true,
};
