import type { InstallationsQuery, SendMessageBody } from "@portico/protocol";
import type { Card } from "./cards/card.ts";

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

/** Content of a `post` message: any JSON object. The service neither checks nor changes it; the messenger draws it. */
export type PostContent = Mentioning & Readonly<Record<string, unknown>>;

/** Content of a `card` message: a card, or one of the app's templates, which the service fills in. */
export type CardContent = Mentioning & ({ card: Card; cardId?: never } | { cardId: string; card?: never });

/** Content of a `file` message. */
export interface FileContent extends Mentioning {
  /** Of a file that this app has uploaded; it can be sent for 10 minutes. */
  fileKey: string;
}

/** Content of an `image` message. */
export interface ImageContent extends FileContent {
  /** In pixels. */
  width: number;
  /** In pixels. */
  height: number;
}

/** The content that each type of message takes (docs/contract/messages.md#content); a new type is a new line. */
export interface ContentByType {
  text: TextContent;
  post: PostContent;
  card: CardContent;
  image: ImageContent;
  file: FileContent;
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

/** An answer to a message, sent to the conversation that the message is in. */
export type ReplyRequest = SendMessageRequest & {
  /** The message that is answered: `message.messageId` of the event that brought it. */
  messageId: number;
};

/** A card to put in the place of one that was sent. */
export interface UpdateCardRequest {
  /** The message that holds the card; this app must have sent it. */
  messageId: number;
  /** The whole new card. */
  card: Card;
  /**
   * The version that the card must still have: 1 for a card just sent, the template's for one made from a template, and
   * one more after each update. Left out, the card is replaced whatever its version.
   */
  version?: number;
}

/** Which page of the installations, and of which of them. */
export interface InstallationsPageRequest extends InstallationsQuery {
  /** 1 to 1,000. */
  pageSize: number;
  /** The `nextCursor` of the page before; left out for the first. */
  cursor?: string | undefined;
}
