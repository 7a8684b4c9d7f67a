import type { RawJson } from "@portico/protocol/raw-json";
import type { InstallationsQuery } from "./answers.ts";
import type { Card } from "./cards/card.ts";

/** A member to mention, by username or by `userId`. */
export type MentionTarget = string | { userId: string };

/** Fields that the content of every message type may have. */
interface Mentioning {
  /** Members to mention. The service removes duplicates and empty values. */
  mentions?: readonly MentionTarget[];
}

/** Content of a `text` message. */
export interface TextContent extends Mentioning {
  text: string;
}

/**
 * Content of a `post` message: any JSON object. The service neither checks nor changes it; the messenger renders it.
 */
export type PostContent = Mentioning & Readonly<Record<string, unknown>>;

/** Content of a `card` message: a card, or one of the app's templates, which the service expands. */
export type CardContent = Mentioning & ({ card: Card | RawJson; cardId?: never } | { cardId: string; card?: never });

/** Content of a `file` message. */
export interface FileContent extends Mentioning {
  /** The key of a file that this app has uploaded; valid for 10 minutes. */
  fileKey: string;
}

/** Content of an `image` message. */
export interface ImageContent extends FileContent {
  /** In pixels. */
  width: number;
  /** In pixels. */
  height: number;
}

/** The content of each message type (docs/contract/messages.md#content). */
export interface ContentByType {
  text: TextContent;
  post: PostContent;
  card: CardContent;
  image: ImageContent;
  file: FileContent;
}

/** A message type with content of that type. */
export type OutgoingMessage = {
  [Type in keyof ContentByType]: { msgType: Type; content: ContentByType[Type] };
}[keyof ContentByType];

/** A message and its recipient. */
export type SendMessageRequest = OutgoingMessage & {
  /** `group_id` for a group, `user_id` for a member. */
  receiveIdType: "group_id" | "user_id";
  /** The installation's `targetId`. */
  receiveId: string;
  /**
   * Idempotency key, 1 to 64 characters; generated when absent. If you may have to send again after a crash or a
   * `TransportError`, choose the key yourself and store it with your data before sending: the same key never sends
   * twice.
   */
  clientMessageId?: string;
};

/** A reply to a message, sent to the conversation of that message. */
export type ReplyRequest = SendMessageRequest & {
  /** The message to reply to: `message.messageId` of the event that delivered it. */
  messageId: number;
};

/** A card that replaces one that was sent. */
export interface UpdateCardRequest {
  /** The message that holds the card; this app must have sent it. */
  messageId: number;
  /** The whole new card. */
  card: Card | RawJson;
  /**
   * The version that the card must still have: 1 for a card just sent (a template's card starts with the template's
   * version), plus one for each update. When absent, the card is replaced whatever its version is.
   */
  version?: number;
}

/** Selects a page of the installations. */
export interface InstallationsPageRequest extends InstallationsQuery {
  /** 1 to 1,000. */
  pageSize: number;
  /** The `nextCursor` of the previous page; absent for the first page. */
  cursor?: string | undefined;
}
