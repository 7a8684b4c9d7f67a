import { type Conversation, LIMITS } from "@portico/protocol";
import { CLIENT_ENDPOINTS, type EndpointValue } from "@portico/protocol/endpoints";
import {
  type KeyedConversation,
  listConversationsAfter,
  listConversationsOf,
  placeOf,
} from "../../../domain/conversations/conversations-of.ts";
import { findLastMessages, findMessagesById } from "../../../domain/conversations/message-view.ts";
import { findReadMarks, type ReadMark } from "../../../domain/conversations/read-marks.ts";
import { type ListText, listText } from "../../../domain/conversations/shown/list-text.ts";
import { InSlices } from "../../../platform/http/in-slices.ts";
import { JsonItems } from "../../../platform/http/json-items.ts";
import { SLICE_BYTES } from "../../../platform/http/large-answers.ts";
import { groupsByBytes } from "../../../platform/storage/groups-by-bytes.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import type { ShownParts } from "../parts.ts";
import { parseCursor, writeCursor } from "./conversation-cursor.ts";

/** Conversations read per slice. */
const AT_ONCE = 100;
/** The most content of a page, as of a page of messages; one larger message is still returned alone. */
const MAX_PAGE_BYTES = 1024 * 1024;

const NO_MESSAGES: ReadMark = { lastSeq: 0, readSeq: 0, unreadCount: 0 };

/**
 * GET /api/client/v1/conversations: groups first, then bots, each with its last message; all of them, or a page, if the
 * call asks for pages. They are read while the answer is written.
 */
export const listConversations: ClientRoute<typeof CLIENT_ENDPOINTS.listConversations, ShownParts> = {
  endpoint: CLIENT_ENDPOINTS.listConversations,
  async handle(ctx, { member, query, room }) {
    const { pageSize = LIMITS.conversationsPageSize, cursor } = query;
    const isPage = cursor !== undefined || query.pageSize !== undefined;
    if (cursor === undefined) {
      const first = await listText(ctx, whereToCount(ctx.storage), member.userId, pageSize);
      if (first !== null && (isPage || !first.hasMore)) return asFirst(first, isPage);
    }
    if (isPage) {
      const { conversations, nextCursor } = await findPage(ctx, member.userId, cursor, pageSize);
      return InSlices.of("items", slicesOf(ctx, member.userId, conversations, room), { nextCursor });
    }
    const conversations = await listConversationsOf(ctx.storage.db, member.userId);
    return InSlices.of("items", slicesOf(ctx, member.userId, conversations, room), {});
  },
};

/**
 * Counting takes up to 300 index entries for each conversation. Embedded, that would hold up the event loop; PostgreSQL
 * needs them in the order of the index, by which only the statements of calls are planned.
 */
function whereToCount({ dialect, db, lists }: ShownParts["storage"]): Db {
  return dialect === "postgres" ? db : lists;
}

function asFirst(
  { items, last, hasMore }: ListText,
  isPage: boolean,
): InSlices<EndpointValue<typeof CLIENT_ENDPOINTS.listConversations>> {
  const nextCursor = hasMore && last !== null ? writeCursor(last) : null;
  return InSlices.whole("items", items, isPage ? { nextCursor } : {});
}

/** The conversations of a page: as many as fit, and at least one. */
async function findPage({ storage: { db } }: ShownParts, userId: string, cursor: string | undefined, size: number) {
  const after = cursor === undefined ? null : parseCursor(cursor);
  // One more shows whether there is another page.
  const found = await listConversationsAfter(db, userId, after, size + 1);
  const messages = await findLastMessages(
    db,
    found.map(({ key }) => key),
  );
  const [fitting] = groupsByBytes(found.slice(0, size), ({ key }) => messages.get(key)?.bytes ?? 0, MAX_PAGE_BYTES);
  const conversations = fitting?.items ?? [];
  const last = conversations.at(-1);
  const hasNext = last !== undefined && conversations.length < found.length;
  return { conversations, nextCursor: hasNext ? writeCursor(placeOf(last)) : null };
}

async function* slicesOf(
  { storage, largeAnswers }: ShownParts,
  userId: string,
  conversations: readonly KeyedConversation[],
  room: (bytes: number) => Promise<void>,
): AsyncGenerator<JsonItems> {
  const { db } = storage;
  let hasRoom = false;
  for (let from = 0; from < conversations.length; from += AT_ONCE) {
    const some = conversations.slice(from, from + AT_ONCE);
    const keys = some.map(({ key }) => key);
    // It comes before the messages: a client that goes on from `lastSeq` then sees a newer message twice, but misses none.
    const marks = await findReadMarks(whereToCount(storage), userId, keys);
    const last = await findLastMessages(db, keys);
    for (const { items, bytes } of groupsByBytes(some, ({ key }) => last.get(key)?.bytes ?? 0, SLICE_BYTES)) {
      if (!hasRoom) await room(items.length === conversations.length ? bytes : SLICE_BYTES);
      hasRoom = true;
      const ids = items.flatMap(({ key }) => last.get(key)?.messageId ?? []);
      const slice = await largeAnswers.read(bytes, async () => {
        const messages = await findMessagesById(db, ids);
        const shown = items.map(
          ({ key, ...conversation }): Conversation => ({
            ...conversation,
            lastMessage: messages.get(last.get(key)?.messageId ?? 0) ?? null,
            ...(marks.get(key) ?? NO_MESSAGES),
          }),
        );
        return JsonItems.of(shown);
      });
      await storage.synced();
      yield slice;
    }
  }
}
