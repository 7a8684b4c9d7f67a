import type { ChangeType, MessageType } from "@portico/protocol";

/** The author of a message: a bot by its appId, a member by their userId. */
export interface Sender {
  type: "BOT" | "MEMBER";
  id: string;
}

/** A message to store. `content` and `mentions` are JSON text. */
export interface NewMessage {
  conversationKey: string;
  sender: Sender;
  clientMessageId: string | null;
  msgType: MessageType;
  content: string;
  mentions: string;
  cardVersion: number | null;
  parentMessageId: number | null;
  /** Epoch milliseconds. */
  now: number;
}

/** The position of a message. */
export interface MessagePlace {
  messageId: number;
  msgSeq: number;
}

/** A change of a message after it was sent. */
export interface NewChange {
  conversationKey: string;
  type: Exclude<ChangeType, "message.created">;
  messageId: number;
}

/** Whatever takes a `msgSeq`. */
export type NewEntry = (NewMessage & { kind: "message" }) | (NewChange & { kind: "change" });
