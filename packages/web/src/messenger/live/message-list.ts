import type { ClientMessage } from "@portico/protocol/schemas";

/**
 * The messages of a conversation that the page has, oldest first: a part without gaps that ends with the newest. Kept as
 * immutable arrays, so that what has not changed is not drawn again.
 */
export interface MessageList {
  readonly messages: readonly ClientMessage[];
  /** Whether there are older ones on the service. */
  readonly hasEarlier: boolean;
}

/** The newest page as it was read; an empty page is the beginning of the conversation. */
export function newestPage(items: readonly ClientMessage[]): MessageList {
  return { messages: items, hasEarlier: items.length > 0 && (items[0]?.msgSeq ?? 1) > 1 };
}

/** With an older page before it. */
export function withEarlier(list: MessageList, items: readonly ClientMessage[]): MessageList {
  const before = list.messages[0]?.msgSeq ?? Number.POSITIVE_INFINITY;
  const older = items.filter(({ msgSeq }) => msgSeq < before);
  const first = older[0] ?? list.messages[0];
  return { messages: [...older, ...list.messages], hasEarlier: older.length > 0 && (first?.msgSeq ?? 1) > 1 };
}

/** With changes applied in their order: new messages at the end, others in the place of what they were. */
export function withChanges(list: MessageList, changed: readonly ClientMessage[]): MessageList {
  const messages = [...list.messages];
  for (const message of changed) {
    const last = messages.at(-1);
    if (last === undefined || message.msgSeq > last.msgSeq) {
      messages.push(message);
      continue;
    }
    const index = indexOf(messages, message.msgSeq);
    // One that is older than what the page has is read when the page gets there.
    if (messages[index]?.messageId === message.messageId) messages[index] = message;
  }
  return { ...list, messages };
}

/** The index of the message that was created at a place, or of the first after it. */
function indexOf(messages: readonly ClientMessage[], msgSeq: number): number {
  let low = 0;
  let high = messages.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((messages[middle]?.msgSeq ?? 0) < msgSeq) low = middle + 1;
    else high = middle;
  }
  return low;
}
