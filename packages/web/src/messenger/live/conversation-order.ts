import type { Conversation } from "@portico/protocol/schemas";

const NAMES = new Intl.Collator();

/** The one in which something was said last comes first; those without a message after them, by name. */
export function inOrder(a: Conversation, b: Conversation): number {
  return timeOf(b) - timeOf(a) || NAMES.compare(a.name, b.name);
}

/**
 * An ordered list with some of its conversations in the state that they have now.
 *
 * @param changed those that are new or another object, in any order.
 */
export function reordered(
  list: readonly Conversation[],
  changed: ReadonlyMap<string, Conversation>,
): readonly Conversation[] {
  const moved = [...changed.values()].sort(inOrder);
  const merged: Conversation[] = [];
  let next = 0;
  for (const each of list) {
    if (changed.has(each.conversationId)) continue;
    for (let one = moved[next]; one !== undefined && inOrder(one, each) < 0; one = moved[++next]) merged.push(one);
    merged.push(each);
  }
  return [...merged, ...moved.slice(next)];
}

function timeOf({ lastMessage }: Conversation): number {
  return lastMessage?.createTime ?? 0;
}
