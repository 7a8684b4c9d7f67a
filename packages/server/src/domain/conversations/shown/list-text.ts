import { writeJson } from "../../../platform/http/json-text.ts";
import { SMALL_ANSWER_BYTES } from "../../../platform/http/large-answers.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { findLastMessages, findMessagesById } from "../message-view.ts";
import { findReadMarks } from "../read-marks.ts";
import { type ListedConversation, listedConversations, MOST_LISTED } from "./listed-conversations.ts";
import type { PageParts } from "./page-of.ts";

/** The first of a member's conversations as JSON. */
export interface ListText {
  /** Separated by commas. */
  items: string;
  /** The last of them; null when there are none. */
  last: ListedConversation | null;
  /** Whether there are more. */
  hasMore: boolean;
}

/**
 * The first `limit` conversations of a member, of what has been shown before as far as that is still true: one look-up, if
 * nothing has changed. Null when they must be read otherwise, because they are too many, or their newest messages too long.
 *
 * @param counting where unread messages are counted.
 */
export async function listText(
  parts: PageParts,
  counting: Db,
  userId: string,
  limit: number,
): Promise<ListText | null> {
  const listed = await parts.storage.ask(listedConversations, { userId });
  if (limit > MOST_LISTED || (limit === MOST_LISTED && listed.length > MOST_LISTED)) return null;
  const conversations = listed.slice(0, limit);
  // Before the messages: a client that goes on from `lastSeq` then sees a newer message twice, but misses none.
  const marked = await withMarks(parts, counting, userId, conversations);
  const newest = await newestOf(parts, marked);
  if (newest === null) return null;
  const texts = marked.map((one) => textOf(one, newest.get(one.key) ?? "null"));
  const items = texts.join(",");
  if (items.length > SMALL_ANSWER_BYTES) return null;
  return { items, last: conversations.at(-1) ?? null, hasMore: listed.length > limit };
}

interface MarkedConversation extends ListedConversation {
  unreadCount: number;
}

async function withMarks(
  { shown }: PageParts,
  counting: Db,
  userId: string,
  conversations: readonly ListedConversation[],
): Promise<MarkedConversation[]> {
  const marked: MarkedConversation[] = [];
  const uncounted: string[] = [];
  for (const one of conversations) {
    const unreadCount = shown.unreadCount(userId, one.key, one.lastSeq, one.readSeq);
    if (unreadCount === undefined) uncounted.push(one.key);
    marked.push({ ...one, unreadCount: unreadCount ?? 0 });
  }
  if (uncounted.length === 0) return marked;
  const marks = await findReadMarks(counting, userId, uncounted);
  for (const [key, mark] of marks) shown.keepMark(userId, key, mark);
  return marked.map((one) => ({ ...one, ...marks.get(one.key) }));
}

/** The newest message of each conversation, by its key; null when one of them is too long to be kept. */
async function newestOf(
  { storage, shown: { newest } }: PageParts,
  conversations: readonly ListedConversation[],
): Promise<Map<string, string> | null> {
  const texts = new Map<string, string>();
  const unknown = new Map<string, number>();
  for (const { key, lastSeq } of conversations) {
    if (lastSeq === 0) continue;
    const text = newest.get(key, lastSeq);
    if (text === undefined) unknown.set(key, lastSeq);
    else texts.set(key, text);
  }
  if (unknown.size === 0) return texts;
  const since = newest.begin();
  const found = [...(await findLastMessages(storage.db, [...unknown.keys()]))];
  if (found.reduce((sum, [, { bytes }]) => sum + bytes, 0) > SMALL_ANSWER_BYTES) return null;
  const messages = await findMessagesById(
    storage.db,
    found.map(([, { messageId }]) => messageId),
  );
  for (const [key, { messageId }] of found) {
    const value = writeJson(messages.get(messageId) ?? null);
    texts.set(key, value);
    // It may be newer than the counter, which was read before: then this entry is not asked for again.
    newest.keep(key, { value, lastSeq: unknown.get(key) ?? 0 }, since);
  }
  return texts;
}

function textOf({ chatType, id, name, lastSeq, readSeq, unreadCount }: MarkedConversation, newest: string): string {
  const conversationId = JSON.stringify(`${chatType === "group" ? "group" : "bot"}:${id}`);
  const marks = `"lastSeq":${lastSeq},"readSeq":${readSeq},"unreadCount":${unreadCount}`;
  return `{"conversationId":${conversationId},"chatType":"${chatType}","name":${JSON.stringify(name)},"lastMessage":${newest},${marks}}`;
}
