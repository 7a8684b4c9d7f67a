import type { MemberFrame } from "@portico/protocol/client";
import type { Conversation } from "@portico/protocol/schemas";
import {
  recounted,
  type UnreadCount,
  unreadAsTold,
  unreadOf,
  withArrival,
  withMark,
} from "../../shared/talk/live/unread-count.ts";
import { inOrder, reordered } from "./conversation-order.ts";
import { isBy } from "./sender.ts";

/** A frame that tells of a message. */
type MessageFrame = Exclude<MemberFrame, { type: "conversation.read" }>;

/**
 * What the page knows of the member's conversations: what the service's list said, and what the stream has told since. An
 * answer that comes after newer frames does not undo them.
 */
export class ConversationBook {
  readonly #myId: string;
  readonly #byId = new Map<string, Conversation>();
  readonly #unread = new Map<string, UnreadCount>();
  /** Those that have changed since the list was put in order. */
  readonly #changed = new Map<string, Conversation>();
  #listed: readonly Conversation[] = [];

  constructor(myId: string) {
    this.#myId = myId;
  }

  get(conversationId: string): Conversation | undefined {
    return this.#byId.get(conversationId);
  }

  /** All of them in order. What has not changed is the same object. */
  get listed(): readonly Conversation[] {
    if (this.#changed.size > 0) {
      this.#listed = reordered(this.#listed, this.#changed);
      this.#changed.clear();
    }
    return this.#listed;
  }

  /**
   * Takes the service's list.
   *
   * @returns those that are new, and the ids of those that are the member's no more.
   */
  takeList(items: readonly Conversation[]): { added: Conversation[]; gone: string[] } {
    const told = new Set(items.map(({ conversationId }) => conversationId));
    const gone = [...this.#byId.keys()].filter((id) => !told.has(id));
    for (const id of gone) {
      this.#byId.delete(id);
      this.#unread.delete(id);
    }
    const added: Conversation[] = [];
    for (const item of items) {
      const { conversationId } = item;
      const known = this.#byId.get(conversationId);
      const unread = this.#unread.get(conversationId);
      if (known === undefined || unread === undefined) {
        added.push(item);
        this.#set(item, unreadAsTold(item));
      } else {
        const { lastSeq, lastMessage } = item.lastSeq >= known.lastSeq ? item : known;
        this.#set({ ...item, lastSeq, lastMessage }, recounted(unread, item));
      }
    }
    this.#listed = [...this.#byId.values()].sort(inOrder);
    this.#changed.clear();
    return { added, gone };
  }

  /** Takes a frame of a conversation that is known. A list that was read meanwhile may have it already. */
  takeFrame({ conversationId, msgSeq, type, message }: MessageFrame): void {
    const known = this.#byId.get(conversationId);
    const unread = this.#unread.get(conversationId);
    if (known === undefined || unread === undefined || msgSeq <= known.lastSeq) return;
    const isNew = type === "message.created";
    const isLast = isNew || known.lastMessage?.messageId === message.messageId;
    const isOthers = isNew && !isBy(message, this.#myId);
    this.#set(
      { ...known, lastSeq: msgSeq, ...(isLast && { lastMessage: message }) },
      isOthers ? withArrival(unread, msgSeq) : unread,
    );
  }

  /**
   * The member has read up to a place, on this page or another.
   *
   * @returns whether the list has to be read anew, as how many are left is not known.
   */
  takeMark(conversationId: string, seq: number): boolean {
    const known = this.#byId.get(conversationId);
    const unread = this.#unread.get(conversationId);
    if (known === undefined || unread === undefined) return false;
    const marked = withMark(unread, seq);
    if (marked.unread !== unread) this.#set(known, marked.unread);
    return !marked.isExact;
  }

  #set(conversation: Conversation, unread: UnreadCount): void {
    const { conversationId } = conversation;
    const now = { ...conversation, readSeq: unread.readSeq, unreadCount: unreadOf(unread) };
    this.#byId.set(conversationId, now);
    this.#unread.set(conversationId, unread);
    this.#changed.set(conversationId, now);
  }
}
