import type { SendMessageBody } from "@portico/protocol";

/** A member to mention, by account or by `userId`. */
export type MentionTarget = string | { userId: string };

/** What the content of every type of message may carry. */
interface Mentioning {
  /** Members to mention. The service drops repeated and empty ones. */
  mentions?: readonly MentionTarget[];
}

/** Content of a `text` message. */
export interface TextContent extends Mentioning {
  text: string;
}

/** The content that each type of message takes (spec.md, "Message content by msgType"); a new type is a new line. */
export interface ContentByType {
  text: TextContent;
}

/** A type of message together with content of that type. */
export type OutgoingMessage = {
  [Type in keyof ContentByType]: { msgType: Type; content: ContentByType[Type] };
}[keyof ContentByType];

/** A message and where it goes. */
export type SendMessageRequest = OutgoingMessage & {
  /** `group_id` for a group, `user_id` for a member. */
  receiveIdType: SendMessageBody["receiveIdType"];
  /** The installation's `targetId`. */
  receiveId: string;
  /**
   * Idempotency key, 1 to 64 characters, made up if left out. Give your own, and store it with your data before
   * sending, if you may have to send again after a crash or a `TransportError`: the same key never sends twice.
   */
  clientMessageId?: string;
};
