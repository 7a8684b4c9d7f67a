import type { Conversation } from "@portico/protocol/schemas";
import { memberApi } from "../../shared/session/member.ts";

interface Unread {
  count: number;
  /** The place up to which the member has read. */
  readSeq: number;
}

/** How many messages of others the member has not seen in each conversation; the service keeps the places. */
export class UnreadCounts {
  readonly #byId = new Map<string, Unread>();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  of(conversationId: string): number {
    return this.#byId.get(conversationId)?.count ?? 0;
  }

  readUpTo(conversationId: string): number {
    return this.#byId.get(conversationId)?.readSeq ?? 0;
  }

  takeList(items: readonly Conversation[]): void {
    for (const { conversationId, unreadCount, readSeq } of items) {
      const known = this.#byId.get(conversationId);
      // What was read a moment ago may not have been stored when the list was made.
      if (known === undefined || known.readSeq <= readSeq)
        this.#byId.set(conversationId, { count: unreadCount, readSeq });
    }
  }

  count(conversationId: string): void {
    const known = this.#byId.get(conversationId) ?? { count: 0, readSeq: 0 };
    this.#byId.set(conversationId, { ...known, count: known.count + 1 });
  }

  /** Read up to a place, on this page or another of the member's. */
  takeMark(conversationId: string, seq: number): void {
    const known = this.#byId.get(conversationId);
    if (known === undefined || known.readSeq >= seq) return;
    this.#byId.set(conversationId, { count: 0, readSeq: seq });
    this.#onChange();
  }

  /** The member sees everything up to a place now. */
  markRead(conversationId: string, seq: number): void {
    const known = this.#byId.get(conversationId);
    if (known !== undefined && known.readSeq >= seq) return;
    this.#byId.set(conversationId, { count: 0, readSeq: seq });
    this.#onChange();
    // The next mark says it again, and more.
    memberApi.markRead({ params: { conversationId }, body: { seq } }).catch(() => {});
  }
}
