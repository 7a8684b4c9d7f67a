import type { Conversation } from "@portico/protocol";
import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { type KeyedConversation, listConversationsOf } from "../../../domain/conversations/conversations-of.ts";
import { findLastMessages, findMessagesById } from "../../../domain/conversations/message-view.ts";
import { findReadMarks, type ReadMark } from "../../../domain/conversations/read-marks.ts";
import { InSlices } from "../../../platform/http/in-slices.ts";
import { JsonItems } from "../../../platform/http/json-items.ts";
import { SLICE_BYTES } from "../../../platform/http/large-answers.ts";
import { groupsByBytes } from "../../../platform/storage/groups-by-bytes.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import type { SlicedParts } from "../../common/parts.ts";

/** Conversations read per slice. */
const AT_ONCE = 100;

const NO_MESSAGES: ReadMark = { lastSeq: 0, readSeq: 0, unreadCount: 0 };

/**
 * GET /api/client/v1/conversations: groups first, then bots; all of them, each with its last message. They are read
 * while the answer is written.
 */
export const listConversations: ClientRoute<typeof CLIENT_ENDPOINTS.listConversations, SlicedParts> = {
  endpoint: CLIENT_ENDPOINTS.listConversations,
  async handle(ctx, { member, room }) {
    const conversations = await listConversationsOf(ctx.storage.db, member.userId);
    return InSlices.of("items", slicesOf(ctx, member.userId, conversations, room), {});
  },
};

async function* slicesOf(
  { storage, largeAnswers }: SlicedParts,
  userId: string,
  conversations: readonly KeyedConversation[],
  room: (bytes: number) => Promise<void>,
): AsyncGenerator<JsonItems> {
  const { db } = storage;
  let hasRoom = false;
  for (let from = 0; from < conversations.length; from += AT_ONCE) {
    const some = conversations.slice(from, from + AT_ONCE);
    const keys = some.map(({ key }) => key);
    // Counting takes a hundred index entries for each, so it goes where it holds nobody up. It comes before the messages:
    // a client that goes on from `lastSeq` then sees a newer message twice, but misses none.
    const marks = await findReadMarks(storage.lists, userId, keys);
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
