import type { DeskMessage } from "@portico/protocol/schemas";
import type { LogMessage } from "../../shared/talk/live/log-message.ts";

/** A message between a visitor and agents, as the desk's logs keep it. */
export interface DeskEntry extends LogMessage {
  readonly sessionId: number;
  readonly senderType: DeskMessage["senderType"];
  /** The username of the agent who wrote it. */
  readonly agentId: string | null;
  /** Their name when they wrote it. */
  readonly agentName: string | null;
  readonly msgType: DeskMessage["msgType"];
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** A message as the API gives it, for a log. */
export function toEntry(message: DeskMessage): DeskEntry {
  const { messageId, sessionId, senderType, agentId, agentName, msgType, content, seq, createdAt } = message;
  const said = msgType === "text" ? { text: content } : content;
  return { messageId, msgSeq: seq, sessionId, senderType, agentId, agentName, msgType, content: said, createdAt };
}
