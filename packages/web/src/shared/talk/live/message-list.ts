import type { LogMessage } from "./log-message.ts";

/**
 * The messages of a conversation that the page has, oldest first: a part without gaps. Kept as immutable arrays, so that
 * what has not changed is not drawn again.
 */
export interface MessageList<M extends LogMessage> {
  readonly messages: readonly M[];
  /** Whether there are older ones on the service. */
  readonly hasEarlier: boolean;
  /** Whether there are newer ones on the service, which the page has let go or not taken. */
  readonly hasLater: boolean;
}

/** So many are kept when a list that has become too long is cut, */
const MOST_KEPT = 600;
/** which is at this length. */
const TOO_MANY = 800;

/** The newest page as it was read; an empty page is the beginning of the conversation. */
export function newestPage<M extends LogMessage>(items: readonly M[]): MessageList<M> {
  return { messages: items, hasEarlier: items.length > 0 && (items[0]?.msgSeq ?? 1) > 1, hasLater: false };
}

/** With an older page before it. */
export function withEarlier<M extends LogMessage>(list: MessageList<M>, items: readonly M[]): MessageList<M> {
  const before = list.messages[0]?.msgSeq ?? Number.POSITIVE_INFINITY;
  const older = items.filter(({ msgSeq }) => msgSeq < before);
  const first = older[0] ?? list.messages[0];
  return { ...list, messages: [...older, ...list.messages], hasEarlier: older.length > 0 && (first?.msgSeq ?? 1) > 1 };
}

/**
 * With changes applied in their order: new messages at the end, others in the place of what they were. Where the list
 * does not go to the newest message, what is new is left to the reading.
 */
export function withChanges<M extends LogMessage>(list: MessageList<M>, changed: readonly M[]): MessageList<M> {
  const messages = [...list.messages];
  for (const message of changed) {
    const last = messages.at(-1);
    if (last === undefined || message.msgSeq > last.msgSeq) {
      if (!list.hasLater) messages.push(message);
      continue;
    }
    const index = indexOf(messages, message.msgSeq);
    // One that is older than what the page has is read when the page gets there.
    if (messages[index]?.messageId === message.messageId) messages[index] = message;
  }
  return { ...list, messages };
}

/**
 * With the page of changes that follows it.
 *
 * @param newestSeq the place of the newest message that the page has heard of.
 */
export function withLater<M extends LogMessage>(
  list: MessageList<M>,
  changed: readonly M[],
  newestSeq: number,
): MessageList<M> {
  const later = withChanges({ ...list, hasLater: false }, changed);
  return { ...later, hasLater: changed.length > 0 && (later.messages.at(-1)?.msgSeq ?? 0) < newestSeq };
}

/** Whether a list is to be cut. */
function isTooLong({ messages }: MessageList<LogMessage>): boolean {
  return messages.length > TOO_MANY;
}

/** Cut at the end that is farther from a place; the same list where it is not too long. */
export function keptAround<M extends LogMessage>(list: MessageList<M>, msgSeq: number): MessageList<M> {
  if (!isTooLong(list)) return list;
  const { messages } = list;
  const index = indexOf(messages, msgSeq);
  if (index < messages.length / 2) return { ...list, messages: messages.slice(0, MOST_KEPT), hasLater: true };
  return { ...list, messages: messages.slice(-MOST_KEPT), hasEarlier: true };
}

/** The index of the message that was created at a place, or of the first after it. */
function indexOf(messages: readonly LogMessage[], msgSeq: number): number {
  let low = 0;
  let high = messages.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((messages[middle]?.msgSeq ?? 0) < msgSeq) low = middle + 1;
    else high = middle;
  }
  return low;
}
