import type { Conversation } from "@portico/protocol/schemas";

interface Unread {
  count: number;
  /** The place up to which the member has read. */
  readSeq: number;
}

/** How many messages of others the member has not seen in each conversation since the page was opened. */
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
    for (const { conversationId, lastSeq } of items) {
      if (!this.#byId.has(conversationId)) this.#byId.set(conversationId, { count: 0, readSeq: lastSeq });
    }
  }

  count(conversationId: string): void {
    const known = this.#byId.get(conversationId) ?? { count: 0, readSeq: 0 };
    this.#byId.set(conversationId, { ...known, count: known.count + 1 });
  }

  /** The member sees everything up to a place now. */
  markRead(conversationId: string, seq: number): void {
    const known = this.#byId.get(conversationId);
    if (known !== undefined && known.readSeq >= seq) return;
    this.#byId.set(conversationId, { count: 0, readSeq: seq });
    this.#onChange();
  }
}
