import type { DeskSession } from "@portico/protocol/schemas";
import { type UnreadCount, unreadAsTold } from "../../shared/talk/live/unread-count.ts";
import { plainName } from "../../shared/text/plain-name.ts";
import { type DeskEntry, toEntry } from "./desk-entry.ts";

type Visitor = DeskSession["visitor"];
/** A session by itself, as the stream tells of it. */
export type Session = Omit<DeskSession, "visitor" | "lastMessage" | "lastSeq" | "readSeq" | "visitorReadSeq">;

/** A session as the desk shows it. Another object whenever something in it has changed. */
export interface Conversation {
  /** Names it in addresses. */
  readonly id: string;
  readonly appId: string;
  readonly session: Session;
  readonly visitor: Visitor;
  readonly last: DeskEntry | null;
  /** Of the visitor's newest message. */
  readonly lastSeq: number;
  /** Up to which the visitor has read. */
  readonly visitorReadSeq: number;
  readonly unread: UnreadCount;
}

/** A session's name in addresses. */
export function conversationId(appId: string, sessionId: number): string {
  return `${appId}:${sessionId}`;
}

/** The application and the session of a conversation's id; null for what is none. */
export function readConversationId(id: string): { appId: string; sessionId: string } | null {
  const [, appId, sessionId] = /^([\w-]{1,64}):(\d{1,15})$/.exec(id) ?? [];
  return appId === undefined || sessionId === undefined ? null : { appId, sessionId };
}

/** A session as the API lists it. */
export function toConversation(appId: string, listed: DeskSession): Conversation {
  const { visitor, lastMessage, lastSeq, readSeq, visitorReadSeq, ...session } = listed;
  // The agents' own messages are counted by the service's numbers, too: who has answered has read.
  const isAnswered = lastMessage?.senderType !== "VISITOR";
  return {
    id: conversationId(appId, session.sessionId),
    appId,
    session,
    visitor,
    last: lastMessage === null ? null : toEntry(lastMessage),
    lastSeq,
    visitorReadSeq,
    unread: unreadAsTold({ lastSeq, readSeq, unreadCount: isAnswered ? 0 : Math.max(0, lastSeq - readSeq) }),
  };
}

type Named = Pick<Visitor, "nickname" | "thirdUserId" | "visitorId">;

/** What a visitor is called: by the name that is known, else by a part of their id. */
export function nameOf({ nickname, thirdUserId, visitorId }: Named): string {
  // Within a sentence, characters that change the direction would turn the words around the name.
  return plainName(nickname).trim() || plainName(thirdUserId).trim() || visitorId;
}

/** What a visitor is called to their face: by the name that they gave, and by no id. */
export function callNameOf({ nickname }: Pick<Visitor, "nickname">): string {
  return plainName(nickname).trim();
}
